import { likelyBase } from '../model/base-address.ts';
import { isAbsent, readTarget, UNDER_VERSION } from '../model/target-reading.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { createRequest } from './category-requests.ts';
import { namer } from './names.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/**
 * Only where the list does not exist at this address, not even with the key: a
 * creation decides whether this is a broken implementation, whose violations
 * count, or another server. Where it is another server and the base address
 * lacks `/v1`, one request without a key shows whether to suggest it. What
 * follows from the answers is read from the journal (`wrongTarget`).
 */
export const targetCheck: Probe = {
  id: 'target-check',
  asks: 'one invalid creation, where the list does not exist at this address',
  cost: () => nothing,
  async run(pacer, inputs) {
    if (!looksAbsent(pacer)) return;
    const marker = namer(pacer, inputs)('bad-0');
    await pacer.sendWithKeyAndRetry(
      'invalid creation, because the list is absent',
      createRequest({ description: marker }),
    );
    if (readTarget(pacer.session.exchanges).kind !== 'not-the-service') return;
    const below = likelyBase(`http://target${pacer.session.basePath}`)?.below;
    if (below === undefined) return;
    const path = `${below}/categories`;
    await pacer.sendOutsideQuota(UNDER_VERSION, { method: 'GET', path, credential: { kind: 'none' } });
  },
};

/** Whether the list was absent with the key, and no other answer shows the service. */
export function looksAbsent(pacer: Pacer): boolean {
  const { exchanges } = pacer.session;
  const asked = exchanges.some((one) => one.caller === 'key' && isAbsent(one));
  return asked && readTarget(exchanges).kind === 'unknown';
}
