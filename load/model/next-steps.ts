import { capitalized } from '../../kernel/basics/text.ts';

/** How a finding begins a reason that lies in a reused connection. */
export const IDLE_CONNECTION = 'reused connection that had been idle';

/** What to change before a run is repeated, by the reasons that its findings state. */
const REMEDIES: readonly (readonly [reason: RegExp, remedy: string])[] = [
  [
    new RegExp(IDLE_CONNECTION),
    'find what drops idle connections (a NAT, a load balancer, or the target itself), or let it keep them longer',
  ],
  [/another client|no other client/i, 'use a key that no other client uses'],
  [/too busy/, 'use a machine that is not busy'],
];

/** What to do before the next run, in one sentence. @param reasons why its expectations were inconclusive. */
export function remedyFor(reasons: readonly string[]): string {
  const remedies = REMEDIES.flatMap(([reason, remedy]) =>
    reasons.some((one) => reason.test(one)) ? [remedy] : [],
  );
  const before = remedies.length === 0 ? 'Resolve them' : capitalized(remedies.join('; '));
  return `${before}, then run the profile again.`;
}
