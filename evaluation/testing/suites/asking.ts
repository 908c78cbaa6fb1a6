import assert from 'node:assert/strict';
import { systemClock } from '../../../suites/wire/clock.ts';
import { HttpWire } from '../../../suites/wire/http-wire.ts';
import type { Reply, Wire, WireRequest } from '../../../suites/wire/wire.ts';
import type { RawServer } from './raw-server.ts';
import { rawServer } from './raw-server.ts';

/** An ordinary request over the kept connection. */
export const get: WireRequest = {
  method: 'GET',
  path: '/categories',
  headers: [['Accept', '*/*']],
  body: null,
  route: 'kept',
};

/** Asks a raw server over the wire, with bounds that suit a test, and stops both. */
export async function asking(
  respond: Parameters<typeof rawServer>[0],
  send: (wire: Wire, server: RawServer) => Promise<void>,
  bounds: { readonly requestMs?: number; readonly bodyBytes?: number } = {},
): Promise<void> {
  const server = await rawServer(respond);
  const { requestMs = 2000, bodyBytes = 1024 } = bounds;
  const wire = new HttpWire({
    baseUrl: server.baseUrl,
    clock: systemClock,
    requestMs,
    bodyBytes,
    proxied: false,
  });
  try {
    await send(wire, server);
  } finally {
    await wire.closeConnections();
    await server[Symbol.asyncDispose]();
  }
}

/** The reply as an answer. @throws {AssertionError} when it is none. */
export function answered(reply: Reply): Extract<Reply, { kind: 'answer' }> {
  assert.equal(reply.kind, 'answer', JSON.stringify(reply));
  return reply as Extract<Reply, { kind: 'answer' }>;
}
