import type { AddressInfo } from 'node:net';
import { UserError } from '../words/user-error.ts';
import { createApp } from './app.ts';
import { systemClock } from './clock.ts';
import type { DemoKeys } from './demo-keys.ts';
import type { ServiceOptions } from './service.ts';
import { createService } from './service.ts';
import { createSharedService } from './shared/shared-service.ts';
import type { SharedStore, StoreFailure } from './shared/store.ts';

/** How to serve: everything of the service, and where to listen. */
export interface ServerOptions extends Omit<ServiceOptions, 'clock'> {
  /** The system's clock unless another is given. */
  readonly clock?: ServiceOptions['clock'];
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The address to listen on; loopback unless another is given. */
  readonly host?: string;
  /** A store shared with further replicas, instead of memory; it counts in windows from the first request and knows no fault. */
  readonly shared?: { readonly store: SharedStore; readonly failure: StoreFailure };
  /** How long a client may take to send a request, in milliseconds; 30,000 unless said otherwise. */
  readonly requestTimeoutMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** For example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly keys: DemoKeys;
  /** Stops listening and ends every connection at once. */
  close(): Promise<void>;
}

/** The server cannot listen where it was told to; the message is one sentence that says what to do. */
export class CannotListenError extends UserError {
  override readonly name: string = 'CannotListenError';
}

/** Another program holds the port. */
export class PortTakenError extends CannotListenError {
  override readonly name = 'PortTakenError';
}

/**
 * Serves the Pet Store Service over HTTP.
 * @throws {PortTakenError} when the port is taken
 * @throws {CannotListenError} when the address or the port cannot be listened on
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port = 0, host = '127.0.0.1', requestTimeoutMs = 30_000 } = options;
  const clock = options.clock ?? systemClock;
  const service =
    options.shared === undefined
      ? createService({ ...options, clock })
      : await createSharedService({ ...options, ...options.shared, clock });
  const app = createApp(service.answer, requestTimeoutMs, options.fault?.wrapBytes);
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw cannotListen(error, host, port);
  }
  const address = app.server.address() as AddressInfo;
  const authority = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    baseUrl: `http://${authority}:${address.port}/v1`,
    keys: service.keys,
    close: () => app.close(),
  };
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new PortTakenError(
      `Port ${port} on ${host} is taken by another program: stop that one, or choose another port (0 takes any free one).`,
    );
  }
  if (code === 'EACCES') {
    return new CannotListenError(`Port ${port} needs rights that this user lacks: choose one above 1023.`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CannotListenError(
      `${host} is no address of this machine: listen on 127.0.0.1, ::1 or 0.0.0.0.`,
    );
  }
  return error;
}
