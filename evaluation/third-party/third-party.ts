import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an app is told: its callers and their limit. */
export interface AppSettings {
  /** Every valid key; each is a caller of its own. */
  readonly keys: readonly string[];
  readonly perMinute: number;
  /** Length of the window, in seconds. */
  readonly windowSeconds: number;
  /** A second limit of each key, where the app can have one. */
  readonly day?: { readonly requests: number; readonly seconds: number };
}

/** An app that listens on a free port of the loopback interface. */
export interface RunningApp {
  /** With the segment `/v1`. */
  readonly baseUrl: string;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/** Requests that an address without a valid key may send in a window: enough never to be in the way. */
export const ANONYMOUS_LIMIT = 1000;

/** The token of `Authorization: Bearer TOKEN` if it is a valid key (RFC 6750 §2.1; the scheme in any case). */
export function validKey(authorization: string | undefined, keys: readonly string[]): string | undefined {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return keys.find((key) => key === token);
}

/** What a limiter knows of a caller. */
interface Numbers {
  readonly limit: number;
  /** Below 0 where the limiter counts on. */
  readonly remaining: number;
  /** Milliseconds since the Unix epoch. */
  readonly resetAt: number;
}

/** The three headers of the specification out of a limiter's own numbers. */
export function specified({ limit, remaining, resetAt }: Numbers): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, remaining)),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  };
}

/** Retry-After in whole seconds, rounded up, until this moment in milliseconds since the Unix epoch. */
export function waiting(until: number): Record<string, string> {
  return { 'Retry-After': String(Math.max(1, Math.ceil((until - Date.now()) / 1000))) };
}

/** The JSON of a request's body; undefined where it is none. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

/** Starts a server of Node on a free loopback port. */
export async function listen(server: Server): Promise<RunningApp> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
