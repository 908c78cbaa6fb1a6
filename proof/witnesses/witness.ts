import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an app is told: its callers and their limit. */
export interface AppSettings {
  /** Every valid key; each is a caller of its own. */
  readonly keys: readonly string[];
  readonly perMinute: number;
  /** Length of the window, in seconds. */
  readonly windowSeconds: number;
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
