import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Identity } from '../../testing/cli/target.ts';
import { selfSigned, serveTls } from '../../testing/cli/target.ts';
import { answerText } from '../../testing/suites/raw-server.ts';
import { temporaryFolder } from '../../testing/tools/folder.ts';
import type { Attack, Respond } from '../attack.ts';
import { raw } from '../attack.ts';
import { expiredIdentity, wrongNameIdentity } from '../certify.ts';

const LIST = ['Content-Type: application/json', 'X-RateLimit-Limit: 60', 'X-RateLimit-Remaining: 30'];
const ok = answerText('200 OK', LIST, '[]');
const [head = '', body = ''] = answerText('200 OK', LIST, '[{"id":1,"name":"a"}]').split(/(?<=\r\n\r\n)/);
const chunked = `HTTP/1.1 200 OK\r\n${LIST.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** Answers the first requests normally, and all further ones with `then`. */
const after =
  (normalRequests: number, then: Respond): Attack['start'] =>
  async (t) => ({
    target: (
      await raw(t, (socket, request, n) => (n > normalRequests ? then(socket, request, n) : socket.write(ok)))
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
    start: async (t) => {
      const forged = answerText('418 Extra', LIST, '{}');
      const { baseUrl } = await raw(t, (socket) => socket.write(ok + forged));
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
    start: async (t) => {
      const { baseUrl } = await raw(t, (socket) => socket.write(ok));
      const preload = fileURLToPath(new URL('../preload/forgetful-resolver.js', import.meta.url));
      return {
        target: baseUrl.href.replace('127.0.0.1', 'localhost'),
        env: { NODE_OPTIONS: `--import=${preload}`, LOOKUPS: '4' },
      };
    },
  },
];

const STATUSES = ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'];

/** A target over TLS that must receive no request, because its certificate is not valid. */
const untrusted =
  (identity: Identity, isTrusted: boolean): Attack['start'] =>
  async (t) => {
    let requests = 0;
    const count: RequestListener = (_, response) => {
      requests += 1;
      response.end();
    };
    const origin = await serveTls(t, count, identity);
    const ca = join(temporaryFolder(t), 'ca.pem');
    writeFileSync(ca, identity.cert);
    return {
      target: `${origin}/v1`,
      ...(isTrusted ? { args: ['--ca', ca] } : {}),
      assertAfter: () => assert.equal(requests, 0, 'nothing was sent to an untrusted server'),
    };
  };

/** Redirects to other origins, and targets whose certificates are not valid. */
export const originAttacks: readonly Attack[] = [
  {
    id: 'redirects',
    description:
      'redirects every request to another origin, with different redirect statuses, and with the key in the address',
    expected:
      'the run ends, because this is not the service; the other origin receives neither a request nor the key',
    exitCodes: [2],
    lastLine: /answers 30\d \(a redirect\): this does not look like the service/,
    start: async (t) => {
      const other = await raw(t, (socket) => socket.write(answerText('200 OK', [], '[]')));
      const { baseUrl, requests } = await raw(t, (socket, request, n) => {
        const key = /^authorization: bearer (.*)$/im.exec(request)?.[1] ?? '';
        const location = `Location: ${other.baseUrl.href}/categories?key=${encodeURIComponent(key)}`;
        socket.write(answerText(STATUSES[n % STATUSES.length] ?? '', [location, 'Refresh: 0;url=/x'], ''));
      });
      return {
        target: baseUrl.href,
        assertAfter: () => {
          assert.ok(
            requests.some((request) => /^authorization: bearer /im.test(request)),
            'a request with the key was redirected',
          );
          assert.equal(other.connections(), 0, 'no connection to the other origin');
        },
      };
    },
  },
  {
    id: 'self-signed',
    description: 'presents a self-signed certificate',
    expected: 'the run ends and names the option that trusts an authority; nothing is sent',
    exitCodes: [2],
    lastLine: /could not be reached: .*self-signed.* with --ca/,
    start: untrusted(selfSigned, false),
  },
  {
    id: 'expired',
    description: 'presents an expired certificate of a trusted authority',
    expected: 'the run ends and names the cause; nothing was sent',
    exitCodes: [2],
    lastLine: /could not be reached: certificate has expired\. Renew its certificate/,
    start: untrusted(expiredIdentity, true),
  },
  {
    id: 'wrong-name',
    description: 'presents a certificate of a trusted authority for another name',
    expected: 'the run ends and names the cause; nothing was sent',
    exitCodes: [2],
    lastLine: /could not be reached: .*altnames.* Use a host name that its certificate contains/,
    start: untrusted(wrongNameIdentity, true),
  },
];
