import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, Identity } from '../attack.ts';
import { expiredIdentity, selfSignedIdentity, wrongNameIdentity } from '../identities.ts';

const STATUSES = ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'];

/** A target over TLS that must receive no request, because its certificate is not valid. */
const untrusted =
  (identity: Identity, isTrusted: boolean): Attack['start'] =>
  async (setup) => {
    let requests = 0;
    const origin = await setup.tls(identity, (_, response) => {
      requests += 1;
      response.end();
    });
    const ca = join(setup.folder, 'ca.pem');
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
    start: async (setup) => {
      const other = await setup.raw((socket) => socket.write(answerText('200 OK', [], '[]')));
      const { baseUrl, requests } = await setup.raw((socket, request, n) => {
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
    start: untrusted(selfSignedIdentity, false),
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
