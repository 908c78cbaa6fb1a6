import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identityOf, serveTls } from '../../testing/cli/target.ts';
import type { Respond } from '../../testing/suites/raw-server.ts';
import { answerText } from '../../testing/suites/raw-server.ts';
import { temporaryFolder } from '../../testing/tools/folder.ts';
import type { Attack, Attacks } from '../attack.ts';
import { ending, raw, serving } from '../attack.ts';

const LIST = ['Content-Type: application/json', 'X-RateLimit-Limit: 60', 'X-RateLimit-Remaining: 30'];
const ok = answerText('200 OK', LIST, '[]');
const [head = '', body = ''] = answerText('200 OK', LIST, '[{"id":1,"name":"a"}]').split(/(?<=\r\n\r\n)/);
const chunked = `HTTP/1.1 200 OK\r\n${LIST.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** Answers the first requests normally, and all further ones with `then`. */
const after = (normalRequests: number, then: Respond): Attack =>
  serving((socket, request, n) => (n > normalRequests ? then(socket, request, n) : socket.write(ok)));

/** Sends this text and resets the connection. */
const resetAfter =
  (text: string): Respond =>
  (socket) => {
    if (text === '') socket.resetAndDestroy();
    else socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 5));
  };

const LOST = /stopped answering at exchange \d+: /;

const STATUSES = ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'];

/** A target over TLS that must receive no request, because its certificate is not valid. */
const untrusted =
  (identity: ReturnType<typeof identityOf>, isTrusted: boolean): Attack =>
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

/**
 * Redirects to other origins, targets whose certificates are not valid, connections that are reset at every stage of a
 * response, and responses that are not valid HTTP.
 */
export const connectionAttacks: Attacks = {
  redirects: ending(/answers 30\d \(a redirect\): this does not look like the service/, async (t) => {
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
  }),
  'self-signed': ending(
    /could not be reached: .*self-signed.* with --ca/,
    untrusted(identityOf('localhost'), false),
  ),
  expired: ending(
    /could not be reached: certificate has expired\. Renew its certificate/,
    untrusted(identityOf('expired'), true),
  ),
  'wrong-name': ending(
    /could not be reached: .*altnames.* Use a host name that its certificate contains/,
    untrusted(identityOf('other-name'), true),
  ),
  'reset-after-request': ending(LOST, after(6, resetAfter(''))),
  'reset-in-head': ending(LOST, after(6, resetAfter(head.slice(0, 40)))),
  'reset-before-body': after(6, resetAfter(head)),
  'reset-in-body': after(6, resetAfter(head + body.slice(0, 9))),
  'reset-in-chunk': after(6, resetAfter(`${chunked}a\r\n[{"i`)),
  'extra-responses': serving(
    (socket) => socket.write(ok + answerText('418 Extra', LIST, '{}')),
    ({ files }) => assert.doesNotMatch(files.get('journal.ndjson') ?? '', /"status":418/),
  ),
  'no-http': ending(
    /whether the server speaks HTTP\/1\.1 and not only HTTP\/2/,
    after(0, (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')),
  ),
  'wait-of-a-thousand-years': after(3, (socket, _, n) =>
    socket.write(
      answerText(
        '429 Too Many Requests',
        [...LIST, `Retry-After: ${n % 2 === 0 ? '31536000000' : '9'.repeat(400)}`],
        '{}',
      ),
    ),
  ),
  'name-stops-resolving': ending(
    /stopped answering at exchange \d+: getaddrinfo ENOTFOUND localhost/,
    async (t) => {
      const { baseUrl } = await raw(t, (socket) => socket.write(ok));
      const preload = fileURLToPath(new URL('../preload/forgetful-resolver.js', import.meta.url));
      return {
        target: baseUrl.href.replace('127.0.0.1', 'localhost'),
        env: { NODE_OPTIONS: `--import=${preload}`, LOOKUPS: '4' },
      };
    },
  ),
};
