import { likelyBase } from '../model/base-address.ts';
import { isAbsent, readTarget, UNDER_VERSION } from '../model/target-reading.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { categoryNamer } from './category-names.ts';
import { createRequest, unauthenticatedList } from './category-requests.ts';
import type { Probe } from './probe.ts';

const steps = {
  invalidCreation: 'invalid creation, because the list is absent',
  listUnderVersion: UNDER_VERSION,
} as const;

/**
 * Sent only where the list does not exist at this address, not even with the key. A creation shows whether this is a
 * broken implementation, whose violations count, or another server. Where it is another server and the base address
 * lacks `/v1`, one request without a key shows whether to suggest it. `wrongTarget` reads the result from the journal.
 */
export const targetCheck: Probe<typeof steps> = {
  id: 'target-check',
  description: 'one invalid creation, where the list does not exist at this address',
  steps,
  cost: () => ({}),
  async run(pacer, inputs) {
    if (!looksAbsent(pacer)) return;
    const marker = categoryNamer(pacer, inputs)('bad-0');
    await pacer.sendWithKeyAndRetry(steps.invalidCreation, createRequest({ description: marker }));
    if (readTarget(pacer.session.exchanges).kind !== 'not-the-service') return;
    const below = likelyBase(`http://target${pacer.session.basePath}`)?.below;
    if (below === undefined) return;
    const path = `${below}/categories`;
    await pacer.sendOutsideQuota(steps.listUnderVersion, unauthenticatedList('none', { path }));
  },
};

/** Whether the list was absent with the key, and no other response shows the service. */
export function looksAbsent(pacer: Pacer): boolean {
  const { exchanges } = pacer.session;
  const isListAbsent = exchanges.some((one) => one.caller === 'key' && isAbsent(one));
  return isListAbsent && readTarget(exchanges).kind === 'unknown';
}
