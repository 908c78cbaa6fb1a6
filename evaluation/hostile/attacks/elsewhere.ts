import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, Identity } from '../attack.ts';
import { expired, selfSigned, wrongName } from '../identities.ts';

const STATUSES = ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'];

/** A target over TLS that must get no request, because its certificate is wrong. */
const untrusted =
  (identity: Identity, trust: boolean): Attack['stage'] =>
  async (stage) => {
    let requests = 0;
    const origin = await stage.tls(identity, (_, response) => {
      requests += 1;
      response.end();
    });
    const ca = join(stage.folder, 'ca.pem');
    writeFileSync(ca, identity.cert);
    return {
      target: `${origin}/v1`,
      ...(trust ? { more: ['--ca', ca] } : {}),
      afterwards: () => assert.equal(requests, 0, 'nothing was sent to whoever that is'),
    };
  };

/** Other origins, and targets that are not who they claim to be. */
export const elsewhere: readonly Attack[] = [
  {
    id: 'redirects',
    does: 'redirects every request to another origin, by each status there is, with the key in the address',
    ends: 'the run ends, because this is not the service; the other origin gets neither a request nor the key',
    codes: [2],
    says: /answers 30\d \(a redirect\): this does not look like the service/,
    stage: async (stage) => {
      const other = await stage.raw((socket) => socket.write(answerText('200 OK', [], '[]')));
      const { baseUrl, requests } = await stage.raw((socket, request, n) => {
        const key = /^authorization: bearer (.*)$/im.exec(request)?.[1] ?? '';
        const location = `Location: ${other.baseUrl.href}/categories?key=${encodeURIComponent(key)}`;
        socket.write(answerText(STATUSES[n % STATUSES.length] ?? '', [location, 'Refresh: 0;url=/x'], ''));
      });
      return {
        target: baseUrl.href,
        afterwards: () => {
          assert.ok(requests.length > 4);
          assert.equal(other.connections(), 0, 'nobody connected to the other origin');
        },
      };
    },
  },
  {
    id: 'self-signed',
    does: 'shows a certificate that it signed itself',
    ends: 'the run ends and says how to trust an authority; nothing was sent',
    codes: [2],
    says: /could not be reached: .*self-signed.* --ca FILE/,
    stage: untrusted(selfSigned, false),
  },
  {
    id: 'expired',
    does: 'shows a certificate that has expired, of a trusted authority',
    ends: 'the run ends and names the cause; nothing was sent',
    codes: [2],
    says: /could not be reached: certificate has expired\. Renew its certificate/,
    stage: untrusted(expired, true),
  },
  {
    id: 'wrong-name',
    does: 'shows a certificate of another name, of a trusted authority',
    ends: 'the run ends and names the cause; nothing was sent',
    codes: [2],
    says: /could not be reached: .*altnames.* Address it by a name that its certificate holds/,
    stage: untrusted(wrongName, true),
  },
];
