import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { answerText } from '../../../evaluation/testing/suites/raw-server.ts';
import {
  answered,
  asking,
  get,
  replyOf,
  unanswered,
  writeByteByByte,
  writeEndlessly,
} from '../../../evaluation/testing/suites/synthetic.ts';

const continued = 'HTTP/1.1 100 Continue\r\n\r\n';
const hinted = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';

for (const [what, interim] of [
  ['a 100 without Expect', continued],
  ['a 103', hinted],
  ['several of both', continued + hinted + continued],
] as const) {
  test(`${what} before each response is dropped, and the connection is kept (K55)`, async () => {
    await asking(
      (socket) => socket.write(interim + answerText('200 OK', ['X-Odd: 1'], '["HTTP/1.1 100 Continue"]')),
      async (wire, { connections }) => {
        for (let n = 0; n < 3; n += 1) {
          const { status, headers, body } = answered(await wire.send(get));
          assert.equal(status, 200);
          assert.deepEqual(headers[0], ['X-Odd', '1']);
          assert.equal(Buffer.from(body).toString(), '["HTTP/1.1 100 Continue"]');
        }
        assert.equal(connections(), 1);
      },
    );
  });
}

test('an interim response that arrives byte by byte is dropped', async () => {
  const bytes = `${continued}${answerText('200 OK', [], '[]')}`;
  assert.equal(answered(await replyOf((socket) => writeByteByByte(socket, bytes))).status, 200);
});

test('an endless interim response, and an endless stream of them, end without a response', async () => {
  for (const endless of ['HTTP/1.1 100 Continue\r\nX: 1', continued])
    unanswered(await replyOf((socket) => writeEndlessly(socket, endless, 5), { requestMs: 200 }));
});

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

for (const [what, head, endless] of [
  ['interim responses', '', `HTTP/1.1 103 Early Hints\r\nX: ${'x'.repeat(60_000)}\r\n\r\n`],
  ['chunk extensions', chunked, `1;${'x'.repeat(8000)}\r\n \r\n`],
  ['trailers', `${chunked}0\r\n`, `X: ${'x'.repeat(8000)}\r\n`],
] as const) {
  test(`at most 1 MiB of what is no content is read: ${what}`, async () => {
    const respond = (socket: Socket): void => {
      socket.write(head);
      writeEndlessly(socket, endless.repeat(10), 1);
    };
    const reply = await replyOf(respond, { requestMs: 10_000, bodyBytes: 4096 });
    if (reply.kind === 'no-response') assert.match(reply.detail, /no content/);
    else assert.ok(reply.bytes > 1024 ** 2 && reply.body.length < 1000, 'it is cut by us');
  });
}

const BODY = '[{"id":1,"name":"a"}]';
const SIZE = BODY.length.toString(16);
const LENGTH = `Content-Length: ${BODY.length}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const CHUNKS = `${SIZE}\r\n${BODY}\r\n0\r\n\r\n`;

/** A response: header lines with their ends, the body as it is sent, and a status line. */
const sent = (headers: string, body: string, line = 'HTTP/1.1 200 OK'): string =>
  `${line}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;

const whole = sent(LENGTH, BODY);

/** Two responses on one connection, each of which is read completely. */
async function readTwice(bytes: string) {
  const replies = await asking(
    (socket) => socket.write(Buffer.from(bytes, 'latin1')),
    async (wire) => [answered(await wire.send(get)), answered(await wire.send(get))],
  );
  for (const { body, unreadable, broken } of replies) {
    assert.equal(Buffer.from(body).toString(), BODY);
    assert.deepEqual([unreadable, broken], [undefined, undefined]);
  }
  return replies;
}

// Each was sent to Go 1.26, Node 20, fetch, Python's requests 2.34 and http.client, Java 17 and curl 7.88.

for (const [what, bytes] of [
  ['a chunk extension', sent(CHUNKED, `${SIZE};a="b;c"\r\n${BODY}\r\n0\r\n\r\n`)],
  ['trailers', sent(CHUNKED, `${SIZE}\r\n${BODY}\r\n0\r\nX-Trail: 1\r\n\r\n`)],
  ['leading zeros in sizes', sent(CHUNKED, `00${SIZE}\r\n${BODY}\r\n000\r\n\r\n`)],
  ['chunked in capitals', sent('Transfer-Encoding: Chunked\r\n', CHUNKS)],
  ['no reason phrase', sent(LENGTH, BODY, 'HTTP/1.1 200')],
  ['a reason phrase in Latin-1', sent(LENGTH, BODY, 'HTTP/1.1 200 \u00d6K')],
  ['HTTP/1.0', sent(LENGTH, BODY, 'HTTP/1.0 200 OK')],
  [
    'HTTP/1.0 that keeps the connection',
    sent(`Connection: keep-alive\r\n${LENGTH}`, BODY, 'HTTP/1.0 200 OK'),
  ],
  ['a 102 before it', `HTTP/1.1 102 Processing\r\n\r\n${whole}`],
  ['an empty line after it', `${whole}\r\n`],
] as const) {
  test(`what every client reads is no flaw: ${what}`, async () => {
    for (const { irregular } of await readTwice(bytes)) assert.equal(irregular, undefined);
  });
}

for (const [what, bytes, flaw] of [
  ['chunked on two lines', sent(CHUNKED + CHUNKED, CHUNKS), /^Transfer-Encoding .* \(RFC 9112 §6\.1\)$/],
  ['chunked twice on one line', sent('Transfer-Encoding: chunked, chunked\r\n', CHUNKS), /§6\.1/],
  ['identity before chunked', sent(`Transfer-Encoding: identity\r\n${CHUNKED}`, CHUNKS), /§6\.1/],
  ['the transfer coding identity', sent(`Transfer-Encoding: identity\r\n${LENGTH}`, BODY), /§6\.1/],
  ['chunks in HTTP/1.0', sent(CHUNKED, CHUNKS, 'HTTP/1.0 200 OK'), /HTTP\/1\.0 .*§6\.1/],
  ['a length beside chunks', sent(LENGTH + CHUNKED, CHUNKS), /§6\.2/],
  ['a wrong length beside chunks', sent(`Content-Length: 5\r\n${CHUNKED}`, CHUNKS), /§6\.2/],
  ['the same length twice', sent(LENGTH + LENGTH, BODY), /stated 2 times .*§8\.6/],
  [
    'the same length twice on one line',
    sent(`Content-Length: ${BODY.length}, ${BODY.length}\r\n`, BODY),
    /§8\.6/,
  ],
  ['different lengths', sent(`${LENGTH}Content-Length: 5\r\n`, BODY), /different values .*§6\.3/],
  ['a length with a sign', sent(`Content-Length: +${BODY.length}\r\n`, BODY), /"\+21" .*§8\.6/],
  [
    'white space behind a chunk size',
    sent(CHUNKED, `${SIZE}  \r\n${BODY}\r\n0\r\n\r\n`),
    /chunk size .*§7\.1/,
  ],
  ['white space before an extension', sent(CHUNKED, `${SIZE} ;a\r\n${BODY}\r\n0\r\n\r\n`), /chunk size/],
  ['a chunk size with 0x', sent(CHUNKED, `0x${SIZE}\r\n${BODY}\r\n0\r\n\r\n`), /chunk size/],
  ['chunks with bare line feeds', sent(CHUNKED, CHUNKS.replaceAll('\r', '')), /its chunks .*§2\.2/],
  ['a head with bare line feeds', whole.replaceAll('\r', ''), /LF without CR .*§2\.2/],
  ['one bare line feed', whole.replace('json\r\n', 'json\n'), /LF without CR/],
  ['a bare line feed as the empty line', whole.replace('\r\n\r\n', '\r\n\n'), /LF without CR/],
  ['a CR in a value', sent(`X-Odd: a\rb\r\n${LENGTH}`, BODY), /a CR within/],
  ['a folded header', sent(`X-Odd: a\r\n  b\r\n${LENGTH}`, BODY), /"X-Odd" folded .*§5\.2/],
  ['a folded length', sent(`Content-Length:\r\n ${BODY.length}\r\n`, BODY), /folded/],
  ['a line that begins with white space first', sent(LENGTH, BODY, 'HTTP/1.1 200 OK\r\n X: y'), /§2\.2/],
  ['white space before a colon', sent(`X-Odd : a\r\n${LENGTH}`, BODY), /colon of "X-Odd " .*§5\.1/],
  ['a line without a colon', sent(`X-Odd\r\n${LENGTH}`, BODY), /"X-Odd" without a colon/],
  ['a name that is no token', sent(`X(Odd): a\r\n${LENGTH}`, BODY), /header name "X\(Odd\)"/],
  ['a control character in a value', sent(`X-Odd: a\0b\r\n${LENGTH}`, BODY), /control character .*§5\.5/],
  ['two spaces in the status line', sent(LENGTH, BODY, 'HTTP/1.1  200 OK'), /several spaces .*§4/],
  ['the version 1.2', sent(LENGTH, BODY, 'HTTP/1.2 200 OK'), /"HTTP\/1\.2" .*§2\.3/],
  ['the version in lower case', sent(LENGTH, BODY, 'http/1.1 200 OK'), /"http\/1\.1"/],
  ['an empty line before it', `\r\n${whole}`, /empty line/],
  ['bytes behind it', `${whole}more`, /bytes after the end/],
] as const) {
  test(`what strict clients reject is read, and named: ${what}`, async () => {
    for (const { status, headers, irregular = [] } of await readTwice(bytes)) {
      assert.equal(status, 200);
      assert.ok(headers.some(([name]) => name === 'Content-Type'));
      assert.equal(irregular.length, 1, irregular.join('; '));
      assert.match(irregular[0] ?? '', flaw);
    }
  });
}

// Most of them wait until nothing more arrives.
describe('a body that no client reads', { concurrency: true }, () => {
  for (const [what, bytes, flaw] of [
    ['a chunk size that is no number', sent(CHUNKED, BODY), /no hexadecimal number/],
    ['a chunk without its line end', sent(CHUNKED, `${SIZE}\r\n${BODY}0\r\n\r\n`), /longer than its size/],
    ['an empty line before a chunk', sent(CHUNKED, `\r\n${CHUNKS}`), /no hexadecimal number/],
    ['neither length nor chunks nor close', sent('', BODY), /neither a valid Content-Length nor chunks/],
    ['a length that is too large', sent('Content-Length: 500\r\n', BODY), /is 500, and 21 bytes arrived/],
    ['no last chunk', sent(CHUNKED, `${SIZE}\r\n${BODY}\r\n`), /its last chunk does not arrive/],
  ] as const) {
    test(`ends alone, and the next response is read: ${what}`, async () => {
      await asking(
        (socket, _, n) => socket.write(n === 1 ? bytes : whole),
        async (wire) => {
          const { status, unreadable = '' } = answered(await wire.send(get));
          assert.equal(status, 200);
          assert.match(unreadable, flaw);
          assert.match(unreadable, /RFC 9112 §/);
          const next = answered(await wire.send(get));
          assert.equal(Buffer.from(next.body).toString(), BODY);
          assert.equal(next.irregular, undefined);
        },
        { requestMs: 20_000 },
      );
    });
  }

  test('a head without a body, without length and without close breaks off alone', async () => {
    const reply = await replyOf((socket) => socket.write(sent('', '')), { requestMs: 20_000 });
    const { unreadable, broken = '' } = answered(reply);
    assert.equal(unreadable, undefined);
    assert.match(broken, /neither a valid Content-Length nor chunks/);
  });
});

for (const status of ['4001 Bad', '20 OK', 'abc OK']) {
  test(`a status line that no client reads is no response: ${status}`, async () => {
    const bytes = sent(LENGTH, BODY, `HTTP/1.1 ${status}`);
    const { cause, detail } = unanswered(await replyOf((socket) => socket.write(bytes)));
    assert.equal(cause, 'malformed');
    assert.match(detail, /the status line "HTTP/);
  });
}

test('a malformed response that arrives byte by byte is read all the same', async () => {
  const bytes = sent(`X-Odd : a\r\n${CHUNKED}`, `${SIZE} \r\n${BODY}\r\n0\r\n\r\n`);
  const { body, irregular = [] } = answered(await replyOf((socket) => writeByteByByte(socket, bytes)));
  assert.equal(Buffer.from(body).toString(), BODY);
  assert.equal(irregular.length, 2);
});
