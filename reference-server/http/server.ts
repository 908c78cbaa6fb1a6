import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../../kernel/basics/errors.ts';
import type { BytesSeam } from '../seams.ts';
import type { DemoKeys } from '../service/callers.ts';
import type { ServiceOptions } from '../service/service.ts';
import { createService, systemClock } from '../service/service.ts';
import type { Respond } from './http-server.ts';
import { createHttpServer } from './http-server.ts';

/** Where and how to listen. */
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

/** What can be served over HTTP: the service of this folder, or another one with the same requests and responses. */
export interface Servable {
  readonly keys: DemoKeys;
  readonly handle: Respond;
}

/** A server that listens. */
export interface RunningServer {
  /** For example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly keys: DemoKeys;
  /** Stops listening and closes every connection at once. */
  close(): Promise<void>;
}

/** The server cannot listen at this address and port; the message is one sentence that says what to do. */
export class CannotListenError extends UserError {
  override readonly name: string = 'CannotListenError';
}

/** Another program uses the port. */
export class PortTakenError extends CannotListenError {
  override readonly name = 'PortTakenError';
}

/**
 * Serves the Pet Store Service over HTTP.
 * @throws {PortTakenError} when the port is taken
 * @throws {CannotListenError} when the address or the port cannot be used
 */
export function startServer(options: ServerOptions): Promise<RunningServer> {
  const service = createService({ ...options, clock: options.clock ?? systemClock });
  return serveOverHttp(service, options, options.seams?.wrapBytes);
}

/**
 * Serves this service over HTTP.
 * @throws {PortTakenError} when the port is taken
 * @throws {CannotListenError} when the address or the port cannot be used
 */
export async function serveOverHttp(
  { keys, handle }: Servable,
  { port = 0, host = '127.0.0.1', requestTimeoutMs = 30_000 }: ListenOptions = {},
  bytes?: BytesSeam,
): Promise<RunningServer> {
  const server = createHttpServer(handle, requestTimeoutMs, bytes);
  try {
    await once(server.listen({ port, host }), 'listening');
  } catch (error) {
    throw cannotListen(error, host, port);
  }
  const { address, family, port: bound } = server.address() as AddressInfo;
  const authority = family === 'IPv6' ? `[${address}]` : address;
  return { baseUrl: `http://${authority}:${bound}/v1`, keys, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new PortTakenError(
      `Port ${port} on ${host} is taken by another program: stop that one, or choose another port (0 takes any free one).`,
    );
  }
  if (code === 'EACCES') {
    return new CannotListenError(`This user may not listen on port ${port}: choose a port above 1023.`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CannotListenError(
      `${host} is not an address of this machine: listen on 127.0.0.1, ::1 or 0.0.0.0.`,
    );
  }
  return error;
}
