import assert from 'node:assert/strict';
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

/** See `sendRaw`; to the server of all tests unless another is given. */
function raw(
  send: string | readonly string[],
  { enough, at = server }: { enough?: (text: string) => boolean; at?: RunningServer } = {},
): Promise<string> {
  return sendRaw(at, send, enough);
}

const request = (method: string, target: string, more?: { headers?: readonly string[]; body?: string }) =>
  rawRequest(server, method, target, more);

function post(body: string, ...headers: string[]): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return request('POST', '/v1/categories', {
    headers: ['Content-Type: application/json', length, ...headers],
    body,
  });
}

const CLOSE = 'Connection: close';

test('each header line is sent once, in its own casing, with Content-Length and never chunked', async () => {
  const response = await raw(request('GET', '/v1/categories', { headers: [CLOSE] }));
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
  const statuses = (await raw(three.join(''))).match(/HTTP\/1\.1 \d+/g);
  assert.deepEqual(statuses, ['HTTP/1.1 201', 'HTTP/1.1 405', 'HTTP/1.1 501']);
});

test('a pipelined request is processed after the creation before it, even where the next one is unreadable', async () => {
  const own = await startServer({ plans });
  const ask = (method: string, ...headers: string[]) =>
    rawRequest(own, method, '/v1/categories', {
      headers: ['Content-Type: application/json', ...headers],
      body: method === 'POST' ? '{"name":"first"}' : '',
    });
  const length = 'Content-Length: 16';
  const two = await raw(`${ask('POST', length)}${ask('GET', CLOSE)}`, { at: own });
  const created = '{"id":1,"name":"first"}';
  assert.ok(two.endsWith(`\r\n\r\n[${created}]`), two);
  assert.deepEqual(two.match(/Remaining: \d+/g), ['Remaining: 999', 'Remaining: 998']);
  const broken = await raw(`${ask('POST', length)}nonsense\r\n\r\n`, { at: own });
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
    const response = await raw(
      request(method, target, { headers: [CLOSE, 'Content-Length: 2'], body: '{}' }),
    );
    const expected = new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*X-RateLimit-Remaining: \\d+\\r\\n`);
    assert.match(response, expected, `${method} ${target}`);
  }
});

test('a body may come in chunks, and with Expect', async () => {
  const chunked = request('POST', '/v1/categories', {
    headers: ['Content-Type: application/json', 'Transfer-Encoding: chunked', CLOSE],
    body: '8\r\n{"name":\r\n9\r\n"chunky"}\r\n0\r\n\r\n',
  });
  assert.match(await raw(chunked), /^HTTP\/1.1 201 [\s\S]*"name":"chunky"/);
  const expecting = await raw(post('{"name":"x"}', 'Expect: 100-continue', CLOSE));
  assert.match(expecting, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
});

test('a body that is too large is read to its end, however large it is, and gets a response', async () => {
  for (const bytes of [2_000_000, 20_000_000]) {
    const large = `{"name":"${'x'.repeat(bytes)}"}`;
    assert.match(await raw(post(large, CLOSE)), /^HTTP\/1.1 400 [\s\S]*"body_too_large"/);
  }
});

test('a body with a content coding gets 415 and the one accepted coding', async () => {
  for (const coding of ['gzip', 'identity, br']) {
    assert.match(
      await raw(post('{"name":"x"}', `Content-Encoding: ${coding}`, CLOSE)),
      /^HTTP\/1.1 415 [\s\S]*\r\nAccept-Encoding: identity\r\n[\s\S]*"unsupported_content_encoding"/,
    );
  }
  assert.match(await raw(post('{"name":"x"}', 'Content-Encoding: identity', CLOSE)), /^HTTP\/1.1 201 /);
});

test('a client that disconnects within its body affects no other client', async () => {
  const head = request('POST', '/v1/categories', {
    headers: ['Content-Type: application/json', 'Content-Length: 10'],
  });
  await new Promise<void>((resolve) => {
    const { hostname, port } = new URL(server.baseUrl);
    const socket = createConnection({ host: hostname, port: Number(port) }, () => {
      socket.write(`${head}{"na`, () => socket.resetAndDestroy());
    });
    socket.on('close', () => resolve());
  });
  assert.match(await raw(request('GET', '/v1/categories', { headers: [CLOSE] })), /^HTTP\/1.1 200 /);
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
  await raw([bytes, bytes.replace('\r\n\r\n', `\r\n${CLOSE}\r\n\r\n`)], { at: spied });
  await raw(bytes.replace('\r\n\r\n', `\r\n${CLOSE}\r\n\r\n`), { at: spied });
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
  const ask = (target: string) =>
    raw(`GET ${target} HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n\r\n`, { at: delayed });
  assert.equal(await ask('/drop'), '');
  const started = performance.now();
  assert.match(await ask('/'), /^HTTP\/1.1 401 /);
  assert.ok(performance.now() - started >= wait - 1);
  await delayed.close();
});

test('closing ends idle keep-alive connections at once', async () => {
  const short = await startServer({ plans });
  let responded: () => void;
  const first = new Promise<void>((resolve) => {
    responded = resolve;
  });
  const ended = raw('GET / HTTP/1.1\r\nHost: x\r\n\r\n', {
    at: short,
    enough: () => {
      responded();
      return false;
    },
  });
  await first;
  const started = performance.now();
  await short.close();
  await ended;
  assert.ok(performance.now() - started < 8000, 'long before an idle connection ends by itself');
  await assert.rejects(raw('GET / HTTP/1.1\r\n\r\n', { at: short }), { code: 'ECONNREFUSED' });
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
  assert.match(await raw(`GET / HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n\r\n`, { at: six }), /^HTTP\/1.1 401 /);
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
  const bytes = await raw(all, { at: replaced });
  await replaced.close();
  assert.match(
    bytes,
    /^HTTP\/1\.1 200 OK\r\nContent-Type: application\/json\r\n[\s\S]*\r\n\r\n\[\]HTTP\/1\.1 405 [^[{]*\r\n\r\nnot HTTP$/,
  );
});
