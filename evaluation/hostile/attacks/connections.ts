import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, Respond } from '../attack.ts';

const LIST = ['Content-Type: application/json', 'X-RateLimit-Limit: 60', 'X-RateLimit-Remaining: 30'];
const ok = answerText('200 OK', LIST, '[]');
const [head = '', body = ''] = answerText('200 OK', LIST, '[{"id":1,"name":"a"}]').split(/(?<=\r\n\r\n)/);
const chunked = `HTTP/1.1 200 OK\r\n${LIST.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** Answers the first requests normally, and all further ones with `then`. */
const after =
  (normalRequests: number, then: Respond): Attack['start'] =>
  async (setup) => ({
    target: (
      await setup.raw((socket, request, n) =>
        n > normalRequests ? then(socket, request, n) : socket.write(ok),
      )
    ).baseUrl.href,
  });

/** Sends this text and resets the connection. */
const resetAfter =
  (text: string): Respond =>
  (socket: Socket) => {
    if (text === '') socket.resetAndDestroy();
    else socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 5));
  };

const LOST = {
  expected: 'the run ends, names the exchange, and judges the exchanges before it',
  exitCodes: [2],
  lastLine: /stopped answering at exchange \d+: /,
} as const;
const BROKEN = {
  expected: 'a verdict; an incomplete response is not judged as if it were complete',
  exitCodes: [1, 3],
} as const;

/** Connections that are reset at every stage of a response, and responses that are not valid HTTP. */
export const connectionAttacks: readonly Attack[] = [
  {
    id: 'reset-after-request',
    description: 'resets every connection when it has received the request',
    ...LOST,
    start: after(6, resetAfter('')),
  },
  {
    id: 'reset-in-head',
    description: 'resets every connection in the middle of the head',
    ...LOST,
    start: after(6, resetAfter(head.slice(0, 40))),
  },
  {
    id: 'reset-before-body',
    description: 'resets every connection between head and body',
    ...BROKEN,
    start: after(6, resetAfter(head)),
  },
  {
    id: 'reset-in-body',
    description: 'resets every connection in the middle of the body',
    ...BROKEN,
    start: after(6, resetAfter(head + body.slice(0, 9))),
  },
  {
    id: 'reset-in-chunk',
    description: 'resets every connection in the middle of a chunk',
    ...BROKEN,
    start: after(6, resetAfter(`${chunked}a\r\n[{"i`)),
  },
  {
    id: 'extra-responses',
    description:
      'sends two responses to every request, so that the second could be mistaken for the response to the next request',
    expected: 'a verdict; the second response is discarded and its connection is not used again',
    exitCodes: [1, 3],
    start: async (setup) => {
      const forged = answerText('418 Extra', LIST, '{}');
      const { baseUrl } = await setup.raw((socket) => socket.write(ok + forged));
      return {
        target: baseUrl.href,
        assertAfter: ({ files }) => assert.doesNotMatch(files.get('journal.ndjson') ?? '', /"status":418/),
      };
    },
  },
  {
    id: 'no-http',
    description: 'does not speak HTTP',
    expected: 'the run ends and says what to check',
    exitCodes: [2],
    lastLine: /whether the server speaks HTTP\/1\.1 and not only HTTP\/2/,
    start: after(0, (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')),
  },
  {
    id: 'wait-of-a-thousand-years',
    description: 'answers every request with 429 and a Retry-After of a thousand years, or of 400 digits',
    expected: 'a verdict; no wait is longer than three windows',
    exitCodes: [1, 3],
    start: after(3, (socket, _, n) =>
      socket.write(
        answerText(
          '429 Too Many Requests',
          [...LIST, `Retry-After: ${n % 2 === 0 ? '31536000000' : '9'.repeat(400)}`],
          '{}',
        ),
      ),
    ),
  },
  {
    id: 'name-stops-resolving',
    description: 'has a host name that stops resolving in the middle of the run',
    expected: 'the run ends, names the exchange, and judges the exchanges before it',
    exitCodes: [2],
    lastLine: /stopped answering at exchange \d+: getaddrinfo ENOTFOUND localhost/,
    start: async (setup) => {
      const { baseUrl } = await setup.raw((socket) => socket.write(ok));
      const preload = fileURLToPath(new URL('../preload/forgetful-resolver.js', import.meta.url));
      return {
        target: baseUrl.href.replace('127.0.0.1', 'localhost'),
        env: { NODE_OPTIONS: `--import=${preload}`, LOOKUPS: '4' },
      };
    },
  },
];
