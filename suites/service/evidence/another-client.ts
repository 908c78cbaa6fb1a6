import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { factText } from '../../../kernel/findings/finding-text.ts';
import type { AdverseJudgement, Judgement, Shown } from '../../../kernel/findings/judgement.ts';
import { inconclusive } from '../../../kernel/findings/judgement.ts';
import { readingOf } from '../../../kernel/rate-limits/series/reading.ts';
import type { Transition } from '../../../kernel/rate-limits/series/transitions.ts';
import { allTransitions, fallBeyondUse } from '../../../kernel/rate-limits/series/transitions.ts';
import { showsUse } from '../../../kernel/rate-limits/untouched.ts';
import { isBaseline, isBaselineAfterIdle } from '../probes/preflight.ts';
import type { Evidence } from './evidence.ts';
import { miscounted, uses } from './uses.ts';

/** What a user can do where another client of the key may be the reason. */
export const IF_NO_OTHER_CLIENT = 'If no other client uses this key, run again with --exclusive-key.';

/**
 * The one way in which another client of the key leaves a requirement open:
 * with the sentence that says how to rule that client out.
 */
export function perhapsAnotherClient(reason: string, exchanges: readonly Exchange[] = []): Judgement {
  return inconclusive(`${reason} ${IF_NO_OTHER_CLIENT}`, exchanges);
}

/** A judgement that another client of the key could overturn: it stands where the user stated that there is none. */
export function unlessAnotherClient(
  evidence: Evidence,
  adverse: AdverseJudgement & Shown,
  doubt: string,
): Judgement {
  return evidence.exclusive
    ? adverse
    : perhapsAnotherClient(`${factText(adverse)} ${doubt}`, adverse.exchanges);
}

/**
 * Two responses between which another client used the key, or the first one
 * after two idle windows in which another client did use it. A fall into a 429
 * does not count: a limit that is smaller than advertised looks the same.
 */
export function sharedUse(evidence: Evidence): readonly Exchange[] | undefined {
  if (evidence.exclusive) return undefined;
  const miscount = evidence.fact(miscounted);
  if (miscount?.explanation.kind === 'fell beyond use') return miscount.exchanges;
  // Whatever explains every reading of the run explains these, too.
  if (miscount !== undefined) return undefined;
  const { perMinute, perDay } = evidence.run.limits;
  const all = evidence.fact(uses);
  const begun = all.flatMap(({ first }) => (isBaseline(first) ? (readingOf(first)?.remaining ?? []) : []));
  for (const { series, first } of all) {
    const reading = readingOf(first);
    // The same value each time is the target's own.
    const used = showsUse(reading, perMinute) && new Set(begun).size > 1;
    if (isBaselineAfterIdle(first) && (isRateLimited(first) || used)) return [first];
    const taken = allTransitions(series, perMinute).find(beyondUse);
    if (taken !== undefined) return [taken.from.exchange, taken.to.exchange];
  }
  // The daily quota does not refill within a run, so another client also used what is missing after a pause.
  const taken = allTransitions(
    all.flatMap(({ series }) => series),
    perDay,
  ).find(beyondUse);
  return taken === undefined ? undefined : [taken.from.exchange, taken.to.exchange];
}

const beyondUse = (change: Transition): boolean =>
  fallBeyondUse(change) > 0 && !isRateLimited(change.to.exchange);

/** Whether more than this run's own requests led to the 429, or anything else shows another client of the key. */
export function takenByOthers(evidence: Evidence, limited: Exchange): boolean {
  if (evidence.exclusive) return false;
  const all = evidence.fact(uses);
  // A key that this run left idle for a window, and not because of a 429, has some of its quota back.
  const takenAlone = all.some(({ first }, i) => {
    const last = all[i - 1]?.series.at(-1)?.exchanges.at(-1);
    return isRateLimited(first) && last !== undefined && !isRateLimited(last);
  });
  if (evidence.fact(sharedUse) !== undefined || takenAlone) return true;
  const { perMinute } = evidence.run.limits;
  return all
    .flatMap(({ series }) => allTransitions(series, perMinute))
    .some((change) => change.to.exchange === limited && fallBeyondUse(change) > 0);
}
