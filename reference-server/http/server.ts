import type { Server } from 'node:http';
import { listen } from '../../kernel/basics/listen.ts';
import type { BytesSeam } from '../seams.ts';
import type { DemoKeys } from '../service/callers.ts';
import type { Service, ServiceOptions } from '../service/service.ts';
import { createService, systemClock } from '../service/service.ts';
import { createHttpServer } from './http-server.ts';

export interface ListenOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The address to listen on; loopback by default. */
  readonly host?: string;
  /** How long a client may take to send a request, in milliseconds; 30,000 by default. */
  readonly requestTimeoutMs?: number;
}

/** How to serve: the options of the service, and where to listen. */
export interface ServerOptions extends Omit<ServiceOptions, 'clock'>, ListenOptions {
  /** The system's clock by default. */
  readonly clock?: ServiceOptions['clock'];
}

export interface RunningServer {
  /** For example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly keys: DemoKeys;
  /** Stops listening and closes every connection at once. */
  close(): Promise<void>;
}

/**
 * Serves the Pet Store Service over HTTP.
 * @throws {UserError} when the port is taken, or the address or the port cannot be used
 */
export function startServer(options: ServerOptions): Promise<RunningServer> {
  const service = createService({ ...options, clock: options.clock ?? systemClock });
  return serveOverHttp(service, options, options.seams?.wrapBytes);
}

/**
 * Serves this service over HTTP.
 * @throws {UserError} when the port is taken, or the address or the port cannot be used
 */
export async function serveOverHttp(
  { keys, handle }: Service,
  { port = 0, host = '127.0.0.1', requestTimeoutMs = 30_000 }: ListenOptions = {},
  bytes?: BytesSeam,
): Promise<RunningServer> {
  const server = createHttpServer(handle, requestTimeoutMs, bytes);
  const bound = await listen(server, { host, port }, 'server', '--host and --port');
  const authority = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return { baseUrl: `http://${authority}:${bound.port}/v1`, keys, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}
