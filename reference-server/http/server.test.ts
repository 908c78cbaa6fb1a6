import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { listening } from '../../evaluation/testing/tools/listening.ts';
import { rawRequest, sendRaw } from '../../evaluation/testing/tools/virtual-bench.ts';
import { UserError } from '../../kernel/basics/errors.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { Seams } from '../seams.ts';
import type { RunningServer } from './server.ts';
import { startServer } from './server.ts';

const plans = loadPlans();
let server: RunningServer;
before(async () => {
  server = await startServer({ plans });
});
after(() => server.close());

const request = (method: string, target: string, more?: { headers?: readonly string[]; body?: string }) =>
  rawRequest(server, method, target, more);

function post(body: string, ...headers: string[]): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return request('POST', '/v1/categories', {
    headers: [JSON_TYPE, length, ...headers],
    body,
  });
}

const CLOSE = 'Connection: close';
const JSON_TYPE = 'Content-Type: application/json';

// Malformed requests come first, while the list is empty: it shows that they create nothing.

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
  const hasty = await startServer({ plans, requestTimeoutMs: 2000 });
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

test('a client that resets its connection affects no other client', async () => {
  for (const bytes of [
    keyed('CONNECT test:80 HTTP/1.1'),
    'nonsense\r\n\r\n',
    // The interim response says that the server waits for the rest of the body.
    keyed(CREATE, [JSON_TYPE, 'Content-Length: 10', 'Expect: 100-continue'], { body: '{"na' }),
  ]) {
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

test('each header line is sent once, in its own casing, with Content-Length and never chunked', async () => {
  const response = await sendRaw(server, request('GET', '/v1/categories', { headers: [CLOSE] }));
  const [head = '', body] = response.split('\r\n\r\n');
  const [status, ...lines] = head.split('\r\n');
  assert.equal(status, 'HTTP/1.1 200 OK');
  const names = lines.map((line) => line.split(':')[0]).join(' ');
  const limit = 'X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset';
  assert.equal(names, `Content-Type ${limit} Date Cache-Control Content-Length Connection`);
  assert.equal(body, '[]');
});

test('a connection serves one request after another, pipelined ones in order', async () => {
  const three = [
    post('{"name":"kept"}'),
    request('HEAD', '/v1/categories'),
    request('GET', '/v1/store/orders', { headers: [CLOSE] }),
  ];
  const statuses = (await sendRaw(server, three.join(''))).match(/HTTP\/1\.1 \d+/g);
  assert.deepEqual(statuses, ['HTTP/1.1 201', 'HTTP/1.1 405', 'HTTP/1.1 501']);
});

test('a pipelined request is processed after the creation before it, even where the next one is unreadable', async () => {
  const own = await startServer({ plans });
  const ask = (method: string, ...headers: string[]) =>
    rawRequest(own, method, '/v1/categories', {
      headers: [JSON_TYPE, ...headers],
      body: method === 'POST' ? '{"name":"first"}' : '',
    });
  const length = 'Content-Length: 16';
  const two = await sendRaw(own, `${ask('POST', length)}${ask('GET', CLOSE)}`);
  const created = '{"id":1,"name":"first"}';
  assert.ok(two.endsWith(`\r\n\r\n[${created}]`), two);
  assert.deepEqual(two.match(/Remaining: \d+/g), ['Remaining: 999', 'Remaining: 998']);
  const broken = await sendRaw(own, `${ask('POST', length)}nonsense\r\n\r\n`);
  await own.close();
  assert.deepEqual(broken.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 201', 'HTTP/1.1 400']);
});

test('paths and methods reach the service as they are on the wire', async () => {
  for (const [method, target, status] of [
    ['GET', '/v1/%zz', 404],
    ['GET', '/v1//categories', 404],
    ['GET', '/v1/%63ategories', 200],
    ['GET', '/v1/categories%2F', 404],
    ['GET', 'http://test/v1/categories', 200],
    ['OPTIONS', '*', 404],
    ['PROPFIND', '/v1/categories', 405],
    ['QUERY', '/v1/categories', 405],
    ['DELETE', '/v1/categories', 405],
    ['GET', `/v1/categories?${'x'.repeat(5000)}`, 200],
  ] as const) {
    const response = await sendRaw(
      server,
      request(method, target, { headers: [CLOSE, 'Content-Length: 2'], body: '{}' }),
    );
    const expected = new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*X-RateLimit-Remaining: \\d+\\r\\n`);
    assert.match(response, expected, `${method} ${target}`);
  }
});

test('a body may come in chunks, and with Expect', async () => {
  const chunked = request('POST', '/v1/categories', {
    headers: [JSON_TYPE, 'Transfer-Encoding: chunked', CLOSE],
    body: '8\r\n{"name":\r\n9\r\n"chunky"}\r\n0\r\n\r\n',
  });
  assert.match(await sendRaw(server, chunked), /^HTTP\/1.1 201 [\s\S]*"name":"chunky"/);
  const expecting = await sendRaw(server, post('{"name":"x"}', 'Expect: 100-continue', CLOSE));
  assert.match(expecting, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
});

test('a body that is too large is read to its end, however large it is, and gets a response', async () => {
  for (const bytes of [2_000_000, 20_000_000]) {
    const large = `{"name":"${'x'.repeat(bytes)}"}`;
    assert.match(await sendRaw(server, post(large, CLOSE)), /^HTTP\/1.1 400 [\s\S]*"body_too_large"/);
  }
});

test('a body with a content coding gets 415 and the one accepted coding', async () => {
  for (const coding of ['gzip', 'identity, br']) {
    assert.match(
      await sendRaw(server, post('{"name":"x"}', `Content-Encoding: ${coding}`, CLOSE)),
      /^HTTP\/1.1 415 [\s\S]*\r\nAccept-Encoding: identity\r\n[\s\S]*"unsupported_content_encoding"/,
    );
  }
  assert.match(
    await sendRaw(server, post('{"name":"x"}', 'Content-Encoding: identity', CLOSE)),
    /^HTTP\/1.1 201 /,
  );
});

test('every connection has a number, and the service sees header lines as they arrived', async () => {
  const seen: string[] = [];
  const spy: Seams = {
    wrapService: (handle) => (received) => {
      seen.push(`${received.client.connection} ${received.headers.map(([name]) => name).join(' ')}`);
      return handle(received);
    },
  };
  const spied = await startServer({ plans, seams: spy });
  const bytes = 'GET / HTTP/1.1\r\nHost: x\r\nX-MiXed: 1\r\nX-MiXed: 2\r\n\r\n';
  await sendRaw(spied, [bytes, bytes.replace('\r\n\r\n', `\r\n${CLOSE}\r\n\r\n`)]);
  await sendRaw(spied, bytes.replace('\r\n\r\n', `\r\n${CLOSE}\r\n\r\n`));
  await spied.close();
  const names = 'Host X-MiXed X-MiXed';
  assert.deepEqual(seen, [`1 ${names}`, `1 ${names} Connection`, `2 ${names} Connection`]);
});

test('an outcome may be dropped or delayed', async () => {
  const wait = 60;
  const delayed = await startServer({
    plans,
    seams: {
      wrapService: (handle) => (received) =>
        received.target === '/drop' ? { kind: 'dropped' } : { ...handle(received), delayMs: wait },
    },
  });
  const ask = (target: string) => sendRaw(delayed, `GET ${target} HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n\r\n`);
  assert.equal(await ask('/drop'), '');
  const started = performance.now();
  assert.match(await ask('/'), /^HTTP\/1.1 401 /);
  assert.ok(performance.now() - started >= wait - 1);
  await delayed.close();
});

test('closing ends idle keep-alive connections at once', async () => {
  const short = await startServer({ plans });
  const { ended } = await new Promise<{ ended: Promise<string> }>((resolve) => {
    const ended = sendRaw(short, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', () => {
      resolve({ ended });
      return false;
    });
  });
  const started = performance.now();
  await short.close();
  await ended;
  assert.ok(performance.now() - started < 8000, 'long before an idle connection ends by itself');
  await assert.rejects(sendRaw(short, 'GET / HTTP/1.1\r\n\r\n'), { code: 'ECONNREFUSED' });
});

test('a taken port and an address of another machine are explained in one sentence', async () => {
  const { port, close } = await listening(createServer());
  await assert.rejects(startServer({ plans, port }), {
    name: 'UserError',
    message: `No server can listen at 127.0.0.1, port ${port}: another program listens there. Choose another address with --host and --port.`,
  });
  await close();
  await assert.rejects(startServer({ plans, host: '192.0.2.1' }), {
    name: 'UserError',
    message: /^No server can listen at 192\.0\.2\.1: this machine has no such address\./,
  });
});

test('the base address has brackets around the IPv6 loopback address', async (t) => {
  const six = await startServer({ plans, host: '::1' }).catch((error: unknown) => {
    if (error instanceof UserError) return null;
    throw error;
  });
  if (six === null) return t.skip('this machine has no IPv6');
  assert.match(six.baseUrl, /^http:\/\/\[::1\]:\d+\/v1$/);
  assert.match(await sendRaw(six, `GET / HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n\r\n`), /^HTTP\/1.1 401 /);
  await six.close();
});

test('the bytes seam replaces the responses it chooses and leaves the others unchanged, on one connection', async () => {
  const replaced = await startServer({
    plans,
    seams: {
      wrapBytes: (_, { method }) =>
        method === 'POST'
          ? { pieces: [Buffer.from('not '), Buffer.from('HTTP')], connection: 'end' }
          : undefined,
    },
  });
  const creation = request('POST', '/v1/categories', { headers: ['Content-Length: 2'] });
  const all = [request('GET', '/v1/categories'), request('HEAD', '/v1/categories'), `${creation}{}`];
  const bytes = await sendRaw(replaced, all);
  await replaced.close();
  assert.match(
    bytes,
    /^HTTP\/1\.1 200 OK\r\nContent-Type: application\/json\r\n[\s\S]*\r\n\r\n\[\]HTTP\/1\.1 405 [^[{]*\r\n\r\nnot HTTP$/,
  );
});
