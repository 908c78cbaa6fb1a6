import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, Respond } from '../attack.ts';

const LIST = ['Content-Type: application/json', 'X-RateLimit-Limit: 60', 'X-RateLimit-Remaining: 30'];
const ok = answerText('200 OK', LIST, '[]');
const [head = '', body = ''] = answerText('200 OK', LIST, '[{"id":1,"name":"a"}]').split(/(?<=\r\n\r\n)/);
const chunked = `HTTP/1.1 200 OK\r\n${LIST.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** Behaves while it is told to be good, then does this to every connection. */
const after =
  (good: number, then: Respond): Attack['stage'] =>
  async (stage) => ({
    target: (
      await stage.raw((socket, request, n) => (n > good ? then(socket, request, n) : socket.write(ok)))
    ).baseUrl.href,
  });

/** Sends this much and resets the connection, so that nothing in flight is certain either. */
const resetAfter =
  (text: string): Respond =>
  (socket: Socket) => {
    if (text === '') socket.resetAndDestroy();
    else socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 5));
  };

const LOST = {
  ends: 'the run ends, names the exchange, and judges what came before',
  codes: [2],
  says: /stopped answering at exchange \d+: /,
} as const;
const BROKEN = {
  ends: 'a verdict; an answer that broke off is never judged as if it were whole',
  codes: [1, 3],
} as const;

/** Connections that die at every moment, and answers that are none. */
export const connections: readonly Attack[] = [
  {
    id: 'dies-after-accept',
    does: 'resets every connection at the request',
    ...LOST,
    stage: after(6, resetAfter('')),
  },
  {
    id: 'dies-in-head',
    does: 'resets every connection in the middle of the head',
    ...LOST,
    stage: after(6, resetAfter(head.slice(0, 40))),
  },
  {
    id: 'dies-before-body',
    does: 'resets every connection between head and body',
    ...BROKEN,
    stage: after(6, resetAfter(head)),
  },
  {
    id: 'dies-in-body',
    does: 'resets every connection in the middle of the body',
    ...BROKEN,
    stage: after(6, resetAfter(head + body.slice(0, 9))),
  },
  {
    id: 'dies-in-chunk',
    does: 'resets every connection in the middle of a chunk',
    ...BROKEN,
    stage: after(6, resetAfter(`${chunked}a\r\n[{"i`)),
  },
  {
    id: 'unasked-answers',
    does: 'sends two answers to every request, so that the second would be taken for the next one’s',
    ends: 'the second answer is nobody’s: the connection is given up',
    codes: [1, 3],
    stage: async (stage) => {
      const forged = answerText('418 Nobody Asked', LIST, '{}');
      const { baseUrl } = await stage.raw((socket) => socket.write(ok + forged));
      return {
        target: baseUrl.href,
        afterwards: ({ files }) => assert.doesNotMatch(files.get('journal.ndjson') ?? '', /"status":418/),
      };
    },
  },
  {
    id: 'no-http',
    does: 'speaks no HTTP',
    ends: 'the run ends and says what to check',
    codes: [2],
    says: /Check that it speaks HTTP\/1\.1 there/,
    stage: after(0, (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')),
  },
  {
    id: 'waits-of-a-thousand-years',
    does: 'refuses everything and asks for a wait of a thousand years, or of 400 digits',
    ends: 'a verdict; no wait is longer than three windows',
    codes: [1, 3],
    stage: after(3, (socket, _, n) =>
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
    id: 'forgotten-name',
    does: 'has a name that stops to resolve in the middle of the run',
    ends: 'the run ends, names the exchange, and judges what came before',
    codes: [2],
    says: /stopped answering at exchange \d+: getaddrinfo ENOTFOUND localhost/,
    stage: async (stage) => {
      const { baseUrl } = await stage.raw((socket) => socket.write(ok));
      const preload = fileURLToPath(new URL('../preload/forgetful-resolver.js', import.meta.url));
      return {
        target: baseUrl.href.replace('127.0.0.1', 'localhost'),
        env: { NODE_OPTIONS: `--import=${preload}`, LOOKUPS: '4' },
      };
    },
  },
];
