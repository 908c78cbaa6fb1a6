import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { answerText, rawServer } from '../../../evaluation/testing/suites/raw-server.ts';
import {
  answered,
  asking,
  get,
  replyOf,
  unanswered,
  writeEndlessly,
} from '../../../evaluation/testing/suites/synthetic.ts';
import { HttpWire } from './http-wire.ts';
import type { WireRequest } from './wire.ts';
import { noResponseOf, systemClock, UNREADABLE_HEAD } from './wire.ts';

const ok = answerText('200 OK', [], '[]');
/** The same response without its content. */
const okHead = ok.slice(0, ok.indexOf('\r\n\r\n') + 4);

test('header lines keep their casing, their order and their repetitions', async () => {
  const lines = ['X-RateLimit-Limit: 60', 'x-ratelimit-limit: 61', 'X-Odd:  spaced '];
  const { headers } = answered(await replyOf((socket) => socket.write(answerText('200 OK', lines, '[]'))));
  assert.deepEqual(headers.slice(0, 3), [
    ['X-RateLimit-Limit', '60'],
    ['x-ratelimit-limit', '61'],
    ['X-Odd', 'spaced '],
  ]);
});

test('a response that arrives while this program cannot run is read before the time for it is over', async () => {
  const stall = (milliseconds: number): void => {
    const start = performance.now();
    while (performance.now() - start < milliseconds);
  };
  const respond = (socket: Socket): void => {
    setTimeout(() => socket.write(ok), 200);
    stall(800);
  };
  assert.equal(answered(await replyOf(respond, { requestMs: 500 })).status, 200);
});

test('two Authorization lines go out as two, and the method, path and body as they are', async () => {
  await asking(
    (socket) => socket.write(ok),
    async (wire, server) => {
      const headers = [
        ['Authorization', 'Bearer one'],
        ['Authorization', 'Bearer two'],
      ] as const;
      await wire.send({
        ...get,
        method: 'POST',
        path: '/categories?x=1',
        headers,
        body: Buffer.from('{"a":1}'),
      });
      const [request = ''] = server.requests;
      assert.match(request, /^POST \/v1\/categories\?x=1 HTTP\/1\.1\r\n/);
      assert.equal(request.match(/^Authorization: /gim)?.length, 2);
      assert.ok(request.endsWith('\r\n\r\n{"a":1}'));
    },
  );
});

test('a path goes out as it is written, whatever a URL would make of it', async () => {
  const paths = ['//categories', '/./categories', '/%2e/categories', '/x/../categories', '/%63ategories;a=b'];
  await asking(
    (socket) => socket.write(ok),
    async (wire, server) => {
      for (const path of paths) await wire.send({ ...get, path });
      const sent = server.requests.map((request) => request.split('\r\n')[0]);
      assert.deepEqual(
        sent,
        paths.map((path) => `GET /v1${path} HTTP/1.1`),
      );
    },
  );
});

test('HEAD, OPTIONS and a GET with a body go out and get their responses', async () => {
  await asking(
    (socket, request) => socket.write(request.startsWith('HEAD') ? okHead : ok),
    async (wire, server) => {
      for (const method of ['HEAD', 'OPTIONS', 'GET'] as const) {
        const body = method === 'GET' ? Buffer.from('{"a":1}') : null;
        assert.equal(answered(await wire.send({ ...get, method, body })).status, 200);
      }
      assert.deepEqual(
        server.requests.map((request) => request.split(' ')[0]),
        ['HEAD', 'OPTIONS', 'GET'],
      );
      assert.ok(server.requests[2]?.endsWith('{"a":1}'));
    },
  );
});

test('a redirect is a response, and is not followed', async () => {
  await asking(
    (socket) => socket.write(answerText('302 Found', ['Location: http://127.0.0.1:1/elsewhere'], '')),
    async (wire, server) => {
      assert.equal(answered(await wire.send(get)).status, 302);
      assert.equal(server.requests.length, 1);
    },
  );
});

test('a 429 and a 503 are responses, and the request is not sent again', async () => {
  await asking(
    (socket, _request, n) =>
      socket.write(answerText(n === 1 ? '429 Too Many Requests' : '503 Unavailable', ['Retry-After: 0'], '')),
    async (wire, server) => {
      assert.equal(answered(await wire.send(get)).status, 429);
      assert.equal(answered(await wire.send(get)).status, 503);
      assert.equal(server.requests.length, 2);
    },
  );
});

test('a cookie is not stored', async () => {
  await asking(
    (socket) => socket.write(answerText('200 OK', ['Set-Cookie: a=b'], '')),
    async (wire, server) => {
      await wire.send(get);
      await wire.send(get);
      assert.doesNotMatch(server.requests[1] ?? '', /^cookie:/im);
    },
  );
});

test('a response whose body breaks off is a response, marked as incomplete', async () => {
  const start = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1,';
  const reply = answered(await replyOf((socket) => socket.end(start)));
  assert.equal(reply.status, 200);
  assert.equal(Buffer.from(reply.body).toString(), '[1,');
  assert.ok(reply.broken !== undefined);
});

for (const [what, respond, cause] of [
  ['a connection that is closed without a response', (socket: Socket) => socket.destroy(), 'reset'],
  ['bytes that are not HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH\r\n'), 'protocol'],
] as const) {
  test(`no response: ${what}`, async () => {
    assert.equal(unanswered(await replyOf(respond)).cause, cause);
  });
}

test('a body beyond the bound is cut there, and the bytes that arrived are counted', async () => {
  const long = answerText('200 OK', [], 'x'.repeat(5000));
  const reply = answered(await replyOf((socket) => socket.write(long)));
  assert.equal(reply.body.length, 1024);
  assert.ok(reply.bytes > 1024);
  assert.equal(reply.broken, undefined);
});

test('an endless body ends at the bound, and the next request has a connection of its own', async () => {
  await asking(
    (socket, _request, n) => {
      if (n > 1) return void socket.write(ok);
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      writeEndlessly(socket, `400\r\n${'x'.repeat(1024)}\r\n`, 1);
    },
    async (wire) => {
      assert.equal(answered(await wire.send(get)).body.length, 1024);
      assert.equal(answered(await wire.send(get)).status, 200);
    },
  );
});

test('an endless stream of slow bytes ends at the time bound', async () => {
  const respond = (socket: Socket): void => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    writeEndlessly(socket, 'x', 20);
  };
  const { cause, sent, received } = unanswered(await replyOf(respond, { requestMs: 300 }));
  assert.equal(cause, 'timeout');
  assert.ok(received.mono - sent.mono < 1500);
});

test('ten megabytes of header end at the header bound', async () => {
  const long = `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(10_000_000)}\r\n\r\n`;
  unanswered(await replyOf((socket) => socket.write(long)));
});

for (const [what, bytes] of [
  ['interim responses without a final one', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(200)],
  ['thousands of header lines', `HTTP/1.1 200 OK\r\n${'A: 1\r\n'.repeat(2000)}\r\n`],
] as const) {
  test(`${what} give no response`, async () => {
    const { cause, detail } = unanswered(await replyOf((socket) => socket.write(bytes)));
    assert.equal(cause, 'protocol');
    assert.match(detail, /^more than \d+ (interim responses|header lines)$/);
  });
}

test('a response that is cut at any byte is no response before the end of its head, and incomplete or complete after it', async () => {
  const complete = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n1\r\n]\r\n0\r\n\r\n';
  const head = complete.indexOf('\r\n\r\n') + 4;
  await asking(
    (socket, _request, n) => socket.end(complete.slice(0, n - 1)),
    async (wire) => {
      for (let length = 0; length <= complete.length; length += 1) {
        const reply = await wire.send({ ...get, route: 'new' });
        const cut = `cut after ${length} bytes: ${JSON.stringify(reply)}`;
        if (length < head) assert.ok(reply.kind === 'no-response' && reply.cause === 'reset', cut);
        else
          assert.ok(
            reply.kind === 'answer' && (reply.broken === undefined) === (length === complete.length),
            cut,
          );
      }
    },
  );
});

/** Why no connection is made to this address. */
async function causeAt(baseUrl: URL): Promise<string> {
  const wire = new HttpWire({ baseUrl, clock: systemClock, requestMs: 5000, bodyBytes: 10 });
  const { cause } = unanswered(await wire.send(get));
  await wire.closeConnections();
  return cause;
}

test('a port where nothing listens refuses the connection, and a name that no resolver knows is a DNS failure', async () => {
  const server = await rawServer(() => undefined);
  await server[Symbol.asyncDispose]();
  assert.equal(await causeAt(server.baseUrl), 'refused');
  assert.equal(await causeAt(new URL('http://nowhere.invalid/v1')), 'dns');
});

test('a kept connection is used again, a new one is not, and closing the connections closes all', async () => {
  await asking(
    (socket) => socket.write(ok),
    async (wire) => {
      const connection = async (send: WireRequest) => (await wire.send(send)).connection;
      assert.deepEqual(await connection(get), { id: 1, fresh: true });
      assert.deepEqual(await connection(get), { id: 1, fresh: false });
      assert.deepEqual(await connection({ ...get, route: 'new' }), { id: 2, fresh: true });
      assert.deepEqual(await connection({ ...get, route: 'parallel-1' }), { id: 3, fresh: true });
      assert.deepEqual(await connection(get), { id: 1, fresh: false });
      await wire.closeConnections();
      assert.deepEqual(await connection(get), { id: 4, fresh: true });
    },
  );
});

test('a server that serves one connection at a time is given up the idle ones', async () => {
  const waiting: (() => void)[] = [];
  let serving = false;
  const next = (): void => {
    serving = false;
    const serve = waiting.shift();
    if (serve === undefined) return;
    serving = true;
    serve();
  };
  const connections = new Set<Socket>();
  await asking(
    (socket) => {
      const serve = (): void => void socket.write(ok);
      if (connections.has(socket)) return serve();
      connections.add(socket);
      socket.once('close', next);
      waiting.push(serve);
      if (!serving) next();
    },
    async (wire) => {
      const routes = ['kept', 'parallel-1', 'parallel-2', 'new', 'kept'] as const;
      for (const route of routes) answered(await wire.send({ ...get, route }));
      const together = (['parallel-1', 'parallel-2', 'parallel-3'] as const).map((route) =>
        wire.send({ ...get, route }),
      );
      for (const reply of await Promise.all(together)) answered(reply);
    },
  );
});

const coded = (code: string, message = 'it failed', more: object = {}): Error =>
  Object.assign(new Error(message), { code }, more);

const TLS = '40E7:error:0A000438:SSL routines:ssl3_read_bytes:tlsv1 alert internal error:../ssl/rec.c:1605:';
const reason = 'tlsv1 alert internal error';

/** What came instead of a response, by the error of the network. */
const rows: Readonly<Record<string, readonly [error: unknown, cause: string, detail: string]>> = {
  'a connection that is refused': [coded('ECONNREFUSED'), 'refused', 'it failed'],
  'a host with several addresses: the last error counts': [
    new AggregateError([coded('ECONNRESET', 'first'), coded('ENOTFOUND', 'last')], 'all failed'),
    ...(['dns', 'last'] as const),
  ],
  'several addresses without an error of their own': [new AggregateError([], 'none'), 'protocol', 'none'],
  'an error within another one': [
    new Error('fetch failed', { cause: coded('EPIPE', 'inner') }),
    ...(['reset', 'inner'] as const),
  ],
  'a timeout of this program': [new Error('too long', { cause: 'timeout' }), 'timeout', 'too long'],
  'a certificate that nobody trusts': [coded('CERT_HAS_EXPIRED', 'expired'), 'tls', 'expired'],
  'an error of OpenSSL, whose own reason is enough': [coded('EPROTO', TLS, { reason }), 'tls', reason],
  'one without a reason': [coded('EPROTO', TLS), 'tls', TLS],
  'one whose reason is no text': [coded('EPROTO', TLS, { reason: 7 }), 'tls', TLS],
  'a reason of another error': [coded('EPROTO', 'other', { reason }), 'tls', 'other'],
  'a head that no client reads': [coded(UNREADABLE_HEAD), 'malformed', 'it failed'],
  'a code that is not known': [coded('EWHAT'), 'protocol', 'it failed'],
  'a code without a text': [coded('EWHAT', ''), 'protocol', 'EWHAT'],
  'neither code nor text': [Object.assign(new TypeError('x'), { message: '' }), 'protocol', 'TypeError'],
  'a code that is no text': [Object.assign(new Error('odd'), { code: 7 }), 'protocol', 'odd'],
  'no error at all': ['gone', 'protocol', 'gone'],
  'nothing at all': [null, 'protocol', 'null'],
};

for (const [what, [error, cause, detail]] of Object.entries(rows)) {
  test(`no response: ${what}`, () => {
    assert.deepEqual(noResponseOf(error), { cause, detail });
  });
}

test('the clock of this machine sleeps for as long as it is asked to, and not at all for nothing', async () => {
  const from = performance.now();
  await systemClock.sleep(0);
  await systemClock.sleep(5);
  assert.ok(performance.now() - from >= 5);
  await assert.rejects(systemClock.sleep(60_000, AbortSignal.abort()), { name: 'AbortError' });
});
