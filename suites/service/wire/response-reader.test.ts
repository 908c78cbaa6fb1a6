import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
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
