import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadPlans } from '../spec/plans.ts';
import type { RunningServer } from './index.ts';
import { startServer } from './index.ts';
import { rawRequest, sendRaw } from './testing/raw-client.ts';

let server: RunningServer;
before(async () => {
  server = await startServer({ plans: loadPlans() });
});
after(() => server.close());

const limited = /X-RateLimit-Limit: 1000\r\nX-RateLimit-Remaining: \d+\r\nX-RateLimit-Reset: \d+\r\n/;

test('what is not HTTP gets the limit of its address, an Error body and the end of the connection', async () => {
  const nonsense = await sendRaw(server, 'nonsense\r\n\r\n');
  assert.match(
    nonsense,
    /^HTTP\/1.1 400 Bad Request\r\n[\s\S]*Connection: close\r\n\r\n\{"code":"malformed_http",.*"status":400\}$/,
  );
  assert.match(nonsense, limited);
  const headers = [`X-Long: ${'x'.repeat(20_000)}`];
  const long = await sendRaw(server, rawRequest(server, 'GET', '/v1/categories', { headers }));
  assert.match(long, /^HTTP\/1.1 431 Request Header Fields Too Large\r\n[\s\S]*"headers_too_large"/);
  assert.match(long, limited);
});

test('a request without Host, and one that expects what nobody knows, are answered like any other', async () => {
  const hostless = await sendRaw(server, 'GET /v1/categories HTTP/1.1\r\nConnection: close\r\n\r\n');
  assert.match(hostless, /^HTTP\/1.1 400 [\s\S]*"host_required"/);
  assert.match(hostless, limited);
  const old = await sendRaw(
    server,
    `GET /v1/categories HTTP/1.0\r\nAuthorization: Bearer ${server.keys['business']?.[0]}\r\n\r\n`,
  );
  assert.match(old, /^HTTP\/1.1 200 /);
  const expecting = await sendRaw(
    server,
    rawRequest(server, 'GET', '/v1/categories', { headers: ['Expect: tea', 'Connection: close'] }),
  );
  assert.match(expecting, /^HTTP\/1.1 200 /);
});
