import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { after, before, test } from 'node:test';
import { rawRequest, sendRaw } from '../../evaluation/testing/tools/virtual-bench.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { RunningServer } from './server.ts';
import { startServer } from './server.ts';

let server: RunningServer;
before(async () => {
  server = await startServer({ plans: loadPlans() });
});
after(() => server.close());

const CLOSE = 'Connection: close';
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
const BODY = '{"name":"x"}';
const LIST = 'GET /v1/categories HTTP/1.1';
const CREATE = 'POST /v1/categories HTTP/1.1';
const IN_CHUNKS = `c\r\n${BODY}\r\n0\r\n\r\n`;

/** The bytes of a request of the first Pro key, whose limit is 300; other callers have 1,000. */
function keyed(
  start: string,
  headers: readonly string[] = [],
  { host = ['Host: test'], body = '', at = server } = {},
): string {
  const lines = [start, ...host, `Authorization: Bearer ${at.keys.pro[0]}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Asserts that the connection ends after this one Error, which has this limit in its headers. */
function assertLast(response: string, status: number, code: string, limit: number, what: string): void {
  const [head = '', body = '', ...further] = response.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), what);
  assert.match(
    head,
    new RegExp(
      `\r\nX-RateLimit-Limit: ${limit}\r\nX-RateLimit-Remaining: \\d+\r\nX-RateLimit-Reset: \\d+\r\n`,
    ),
    what,
  );
  assert.match(head, /\r\nConnection: close(\r\n|$)/, what);
  assert.deepEqual([Object.keys(JSON.parse(body)), further], [['code', 'message', 'status'], []]);
  assert.deepEqual([JSON.parse(body).code, JSON.parse(body).status], [code, status], what);
}

const remainingOf = (response: string) => Number(/X-RateLimit-Remaining: (\d+)/.exec(response)?.[1]);

test('a malformed request whose head can be read gets the limit of its key, and is counted', async () => {
  const chunks = [JSON_TYPE, CHUNKED];
  const rejected: readonly (readonly [what: string, bytes: string, status: number, code: string])[] = [
    ['no Host', keyed(LIST, [], { host: [] }), 400, 'host_required'],
    ['two Hosts', keyed(LIST, [], { host: ['Host: test', 'Host: test'] }), 400, 'invalid_host'],
    ['two Hosts in HTTP/1.0', keyed('GET /v1 HTTP/1.0', ['Host: a']), 400, 'invalid_host'],
    ...['a b', 'a/b', 'u@a', 'a, b', 'a:9x', '[::1'].map(
      (host) => [`Host ${host}`, keyed(LIST, [], { host: [`Host: ${host}`] }), 400, 'invalid_host'] as const,
    ),
    ['HTTP/2.0', keyed('GET /v1/categories HTTP/2.0'), 505, 'http_version_not_supported'],
    ['a long target', keyed(`GET /v1?${'x'.repeat(16_384)} HTTP/1.1`), 414, 'target_too_long'],
    ['a long header', keyed(LIST, [`X-Long: ${'x'.repeat(16_384)}`]), 431, 'headers_too_large'],
    ['many headers', keyed(LIST, Array<string>(3000).fill('X-Many: 1')), 431, 'headers_too_large'],
    [
      'another transfer coding',
      keyed(CREATE, [JSON_TYPE, 'Transfer-Encoding: gzip, chunked'], { body: IN_CHUNKS }),
      501,
      'transfer_coding_not_implemented',
    ],
    [
      'chunks in HTTP/1.0',
      keyed('POST /v1/categories HTTP/1.0', chunks, { body: IN_CHUNKS }),
      400,
      'malformed_http',
    ],
    ['a chunk without a size', keyed(CREATE, chunks, { body: `zz\r\n${BODY}` }), 400, 'malformed_http'],
  ];
  let left = remainingOf(await sendRaw(server, keyed(LIST, [CLOSE])));
  for (const [what, bytes, status, code] of rejected) {
    const response = await sendRaw(server, bytes);
    assertLast(response, status, code, 300, what);
    left -= 1;
    assert.equal(remainingOf(response), left, what);
  }
  assert.match(await sendRaw(server, keyed(LIST, [CLOSE])), /\r\n\r\n\[\]$/, 'nothing was created');
});

test('bytes that are not a request are counted for their address, even where they contain a key', async () => {
  for (const [what, bytes, status] of [
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x00\r\n', 400],
    ['another minor version', keyed('GET /v1/categories HTTP/1.2'), 400],
    ['a method in lower case', keyed('get /v1/categories HTTP/1.1'), 400],
    ['an unknown method', keyed('FROB /v1/categories HTTP/1.1'), 400],
    ['line feeds alone', keyed(LIST).replaceAll('\r\n', '\n'), 400],
    ['a folded line', keyed(LIST, ['X-Folded: a\r\n b']), 400],
    ['a space before the colon', keyed(LIST, ['X-Space : a']), 400],
    ['a NUL', keyed(LIST, ['X-Nul: a\0b']), 400],
    ['two lengths', keyed(CREATE, ['Content-Length: 2', 'Content-Length: 3'], { body: '{}' }), 400],
    ['a negative length', keyed(CREATE, ['Content-Length: -1'], { body: '{}' }), 400],
    ['length and chunks', keyed(CREATE, ['Content-Length: 2', CHUNKED], { body: IN_CHUNKS }), 400],
    ['a head beyond 1 MiB', keyed(LIST, [`X-Long: ${'x'.repeat(1_100_000)}`]), 431],
  ] as const) {
    const response = await sendRaw(server, bytes);
    assertLast(response, status, status === 431 ? 'headers_too_large' : 'malformed_http', 1000, what);
  }
});

test('a client that does not finish its request gets 408 in time, and is counted once its key is known', async (t) => {
  const hasty = await startServer({ plans: loadPlans(), requestTimeoutMs: 2000 });
  t.after(() => hasty.close());
  const started = performance.now();
  const [inBody, inHead, endless] = await Promise.all([
    sendRaw(hasty, keyed(CREATE, ['Content-Length: 9'], { body: '{"na', at: hasty })),
    sendRaw(hasty, keyed(LIST, [], { at: hasty }).slice(0, -2)),
    sendRaw(hasty, [
      keyed(CREATE, [JSON_TYPE, `Content-Length: ${2 ** 40}`], { at: hasty }),
      ...Array<string>(17).fill('x'.repeat(1_048_576)),
    ]),
  ]);
  assertLast(inBody, 408, 'request_timeout', 300, 'in the body');
  assertLast(inHead, 408, 'request_timeout', 1000, 'in the head');
  assertLast(endless, 408, 'request_timeout', 300, 'in an endless body');
  assert.ok(performance.now() - started < 10_000);
});

test('a client that resets its connection after CONNECT or after bytes that are not HTTP affects no other client', async () => {
  for (const bytes of [keyed('CONNECT test:80 HTTP/1.1'), 'nonsense\r\n\r\n']) {
    const { hostname, port } = new URL(server.baseUrl);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  assert.match(await sendRaw(server, keyed(LIST, [CLOSE])), /^HTTP\/1\.1 200 /);
});

test('CONNECT and requests for an upgrade get a response like any other, and close the connection', async () => {
  assertLast(await sendRaw(server, keyed('CONNECT test:80 HTTP/1.1')), 404, 'not_found', 300, 'CONNECT');
  const unknown = await sendRaw(server, 'CONNECT test:80 HTTP/1.1\r\nHost: test\r\n\r\n');
  assertLast(unknown, 401, 'unauthorized', 1000, 'CONNECT without a key');
  const upgrade = keyed(CREATE, [JSON_TYPE, 'Content-Length: 2', 'Connection: Upgrade', 'Upgrade: h2c']);
  assertLast(await sendRaw(server, `${upgrade}{}`), 400, 'name_required', 300, 'an upgrade');
});

test('no request after the last one of a connection is processed', async () => {
  const create = (...more: readonly string[]) =>
    keyed(CREATE, [JSON_TYPE, `Content-Length: ${BODY.length}`, ...more], { body: BODY });
  const response = await sendRaw(server, `${create('Host: another')}${create()}`);
  assertLast(response, 400, 'invalid_host', 300, 'two Hosts');
  assert.match(await sendRaw(server, keyed(LIST, [CLOSE])), /\r\n\r\n\[\]$/);
});

test('expectations are ignored, and HTTP/1.0 needs no Host', async () => {
  const expecting = rawRequest(server, 'GET', '/v1/categories', { headers: ['Expect: tea', CLOSE] });
  assert.match(await sendRaw(server, expecting), /^HTTP\/1\.1 200 /);
  const old = keyed('GET /v1/categories HTTP/1.0', [], { host: [] });
  assert.match(await sendRaw(server, old), /^HTTP\/1\.1 200 /);
});

test('a key behind two thousand other header lines is found', async () => {
  const lines = [...Array<string>(2000).fill('X:'), `Authorization: Bearer ${server.keys.pro[1]}`, CLOSE];
  const response = await sendRaw(server, `${LIST}\r\nHost: test\r\n${lines.join('\r\n')}\r\n\r\n`);
  assert.match(response, /^HTTP\/1\.1 200 [\s\S]*X-RateLimit-Limit: 300\r\n/);
});
