import { accepted } from '../../../exchanges/outcome-kinds.ts';
import type { First429 } from '../../../rate-limits/attribution/early-429.ts';
import { exchangesOf } from '../../../rate-limits/series/series.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { furtherUses, inSecondWindow, secondUse } from '../../evidence/further-windows.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { inconclusive, pass } from '../../evidence/judgement.ts';
import type { Use } from '../../probes/uses.ts';

/** A stretch of use and its first 429. */
export interface LimitedUse {
  readonly use: Use;
  readonly limited: First429;
}

/** The stretches of use that reached a 429. */
export const limitedUsesOf = (all: readonly Use[]): readonly LimitedUse[] =>
  all.flatMap((use) => (use.limited === undefined ? [] : [{ use, limited: use.limited }]));

/** The first such one of the further windows that began untouched. */
export const limitedInFurtherWindow = (
  evidence: Evidence,
  isSuch: (one: LimitedUse) => boolean,
): LimitedUse | undefined =>
  limitedUsesOf(furtherUses(evidence)).find((one) => one.use.untouched && isSuch(one));

/**
 * LIMIT-1 in the second window of a thorough run as well: a limit may be enforced only once.
 * @param judged what the first 429 of a stretch shows.
 */
export function limitedAgain(
  first: Judgement,
  evidence: Evidence,
  judged: (use: Use, limited: First429, evidence: Evidence) => Judgement,
): Judgement {
  const second = secondUse(evidence);
  if (first.verdict !== 'pass' || second === undefined) return first;
  const { limited, series } = second;
  if (limited === undefined) {
    const sent = exchangesOf(series).filter(accepted);
    if (sent.length <= evidence.run.limits.perMinute) return first;
    const reason = `In the second window ${sent.length} requests were accepted, and none was rate-limited.`;
    return inconclusive(`${reason} ${first.checked}`, sent.slice(-1));
  }
  const again = judged(second, limited, evidence);
  return again.verdict === 'pass'
    ? pass(`${first.checked} ${inSecondWindow(again.checked)}`, [...first.exchanges, ...again.exchanges])
    : again;
}
