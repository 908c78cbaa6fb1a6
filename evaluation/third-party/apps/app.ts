import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The settings of an app: its callers and their limit. */
export interface AppSettings {
  /** Every valid key; each has a limit of its own. */
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

/** How many unauthenticated requests an address may send in a window: more than any run sends. */
export const ANONYMOUS_LIMIT = 10_000;

/** The body of every error of these apps. */
export const errorBody = (status: number, code: string, message: string) => ({ code, message, status });

/** The token of `Authorization: Bearer TOKEN` if it is a valid key (RFC 6750 §2.1; the scheme in any case). */
export function validKey(authorization: string | undefined, keys: readonly string[]): string | undefined {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return keys.find((key) => key === token);
}

/** The state of a caller in a limiter. */
interface LimiterState {
  readonly limit: number;
  /** Below 0 where the limiter counts requests beyond the limit, too. */
  readonly remaining: number;
  /** Milliseconds since the Unix epoch. */
  readonly resetAt: number;
}

/** The three headers of the specification, from the state of a limiter. */
export function rateLimitHeaders({ limit, remaining, resetAt }: LimiterState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, remaining)),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  };
}

/** Retry-After in whole seconds, rounded up, until this time in milliseconds since the Unix epoch. */
export function retryAfterHeader(until: number): Record<string, string> {
  return { 'Retry-After': String(Math.max(1, Math.ceil((until - Date.now()) / 1000))) };
}

/** The parsed JSON body of a request; undefined if it is not JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

/** Starts a Node server on a free loopback port. */
export async function listenOnLoopback(server: Server): Promise<RunningApp> {
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
