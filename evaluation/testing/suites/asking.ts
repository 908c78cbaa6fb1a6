import assert from 'node:assert/strict';
import { systemClock } from '../../../suites/service/wire/clock.ts';
import { HttpWire } from '../../../suites/service/wire/http-wire.ts';
import type { Reply, Wire, WireRequest } from '../../../suites/service/wire/wire.ts';
import type { RawServer } from './raw-server.ts';
import { rawServer } from './raw-server.ts';

/** A list request over the connection that is kept open. */
export const get: WireRequest = {
  method: 'GET',
  path: '/categories',
  headers: [['Accept', '*/*']],
  body: null,
  route: 'kept',
};

/** Starts a raw server and a wire to it, with short bounds, calls `send`, and stops both. */
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

/** The reply as an answer. @throws {AssertionError} when there was no response. */
export function answered(reply: Reply): Extract<Reply, { kind: 'answer' }> {
  assert.equal(reply.kind, 'answer', JSON.stringify(reply));
  return reply as Extract<Reply, { kind: 'answer' }>;
}
