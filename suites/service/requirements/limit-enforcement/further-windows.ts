import { accepted } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { inconclusive, pass } from '../../../../kernel/findings/judgement.ts';
import type { First429 } from '../../../../kernel/rate-limits/attribution/early-429.ts';
import { exchangesOf } from '../../../../kernel/rate-limits/series/series.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { furtherUses, inSecondWindow, secondUse } from '../../evidence/further-windows.ts';
import type { Use } from '../../probes/uses.ts';

/** A stretch of use that reached a 429. */
export type LimitedUse = Use & { readonly limited: First429 };

/** Whether a stretch of use reached a 429. */
export const isLimited = (use: Use): use is LimitedUse => use.limited !== undefined;

/** The first such one of the further windows that began untouched. */
export const limitedInFurtherWindow = (
  evidence: Evidence,
  isSuch: (one: LimitedUse) => boolean,
): LimitedUse | undefined =>
  furtherUses(evidence)
    .filter(isLimited)
    .find((one) => one.untouched && isSuch(one));

/**
 * LIMIT-1 in the second window of a thorough run as well: a limit may be enforced only once.
 * @param judged what the first 429 of a stretch shows.
 */
export function limitedAgain(
  first: Judgement,
  evidence: Evidence,
  judged: (use: LimitedUse, evidence: Evidence) => Judgement,
): Judgement {
  const second = secondUse(evidence);
  if (first.verdict !== 'pass' || second === undefined) return first;
  if (!isLimited(second)) {
    const sent = exchangesOf(second.series).filter(accepted);
    if (sent.length <= evidence.run.limits.perMinute) return first;
    const reason = `In the second window ${sent.length} requests were accepted, and none was rate-limited.`;
    return inconclusive(`${reason} ${first.checked}`, sent.slice(-1));
  }
  const again = judged(second, evidence);
  return again.verdict === 'pass'
    ? pass(`${first.checked} ${inSecondWindow(again.checked)}`, [...first.exchanges, ...again.exchanges])
    : again;
}
