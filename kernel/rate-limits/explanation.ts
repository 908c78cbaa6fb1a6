import type { Exchange } from '../exchanges/exchange.ts';
import type { ConstantCost, DeviatingKind } from './bounds/counted-requests.ts';
import {
  constantCostOf,
  everyNthCountedOnceMore,
  freeMethodOf,
  oneKindOfAnswer,
} from './bounds/counted-requests.ts';
import type { CountedTogether, SeparateCounters } from './bounds/counters.ts';
import { countedTogether, findSeparateCounters } from './bounds/counters.ts';
import { countsEachAtOnce, countsExactlyOneByOne, countsSideBySide } from './bounds/parallel-requests.ts';
import type { Miscount } from './bounds/refill.ts';
import { findJumpWithinOneReset, findMiscount, missesOneByOne, refilledTooOften } from './bounds/refill.ts';
import type { Quota } from './quota.ts';
import type { Series, Transition } from './series.ts';
import {
  beforeFirst429,
  exchangesOf,
  exchangesOfTransitions,
  fallBeyondUse,
  isJump,
  transitionsBefore429,
} from './series.ts';

/** What makes sense of a Remaining that does not follow the requests of its caller. */
export type Explanation =
  /** `requests` of them were answered with what a cache had stored. */
  | { readonly kind: 'stored responses'; readonly requests: number }
  | ({ readonly kind: 'separate counters' } & SeparateCounters)
  | ({ readonly kind: 'one kind of answer' } & DeviatingKind)
  | { readonly kind: 'counts side by side'; readonly counts: number }
  | { readonly kind: 'lost under concurrency' }
  | ({ readonly kind: 'each request costs several' } & ConstantCost)
  | ({ readonly kind: 'counted together' } & CountedTogether)
  | { readonly kind: 'every nth counts once more'; readonly nth: number }
  /** `of` is the method whose requests are not counted, where it is one. */
  | { readonly kind: 'not counted'; readonly unexplained: number; readonly of?: string }
  /**
   * What another client of the key could have caused: `fall` is the first such fall. `risen` is what rose besides,
   * beyond any conforming limiter: that client cannot have caused it.
   */
  | { readonly kind: 'fell beyond use'; readonly fall: Transition; readonly risen: number };

/** A Remaining that does not follow the requests, explained as far as possible. */
export interface Discrepancy {
  readonly explanation: Explanation;
  readonly exchanges: readonly Exchange[];
}

/** The highest probability at which another client of the key may look like a fault that is attributed to the target. */
const MOST_CHANCE = 1e-6;

export interface Circumstances {
  /** What the run sent as another caller: without a valid key, or with another one. */
  readonly others: readonly Exchange[];
  readonly everywhere: readonly Series[];
  /** The user states that no other client uses the key. */
  readonly exclusive: boolean;
}

/** The explanation with the fewest assumptions. Another client lowers Remaining, never raises it, and knows nothing of our requests. */
export function explainDiscrepancy(
  series: Series,
  quota: Quota,
  around: Circumstances,
): Discrepancy | undefined {
  const stored = storedResponses(series);
  if (stored !== undefined) return stored;
  const changes = transitionsBefore429(series, quota.limit);
  const miscount = findMiscount(series, quota) ?? findJumpWithinOneReset(series, quota);
  const beyondUse = changes.filter((change) => fallBeyondUse(change) > 0);
  if (miscount === undefined && beyondUse.length === 0) {
    // A limit that is full again more often than a window can begin, and was so among requests sent at the same time.
    const found = refilledTooOften(series, quota);
    return found === undefined ? undefined : notCounted(found);
  }
  const exchanges = exchangesOfTransitions(miscount?.changes ?? beyondUse);
  const explanation = causeWithinTarget(series, quota, around, miscount);
  if (explanation !== undefined) return { explanation, exchanges };
  const [fall] = beyondUse;
  if (fall !== undefined)
    return { explanation: { kind: 'fell beyond use', fall, risen: miscount?.unexplained ?? 0 }, exchanges };
  return miscount && notCounted(miscount);
}

/** Where a cache answered requests: the response that it showed again first, and where it did. */
function storedResponses(series: Series): Discrepancy | undefined {
  const exchanges = exchangesOf(beforeFirst429(series));
  const [first, ...others] = exchanges.filter(({ shownAgain }) => shownAgain !== undefined);
  if (first === undefined) return undefined;
  return {
    explanation: { kind: 'stored responses', requests: others.length + 1 },
    exchanges: [...exchanges.filter(({ n }) => n === first.shownAgain), first],
  };
}

const notCounted = ({ unexplained, changes }: Miscount): Discrepancy => ({
  explanation: { kind: 'not counted', unexplained },
  exchanges: exchangesOfTransitions(changes),
});

/** Where no rise is beyond every conforming limiter, one may be a window that began anew: more changes than that must show. */
const LEAST_SWITCHES = 3;

/** The first explanation, from the fewest assumptions on, that only the target can cause. */
function causeWithinTarget(
  series: Series,
  quota: Quota,
  { everywhere, others, exclusive }: Circumstances,
  miscount: Miscount | undefined,
): Explanation | undefined {
  const changes = transitionsBefore429(series, quota.limit);
  const before429 = beforeFirst429(series);
  const mostChance = exclusive ? 1 : MOST_CHANCE;
  // Another client may have caused any fall; only what came back shows separate counters.
  if (miscount !== undefined || changes.some((change) => isJump(change, quota))) {
    const leastSwitches = miscount !== undefined || exclusive ? 0 : LEAST_SWITCHES;
    const separate = findSeparateCounters(series, quota, leastSwitches);
    if (separate !== undefined) return { kind: 'separate counters', ...separate };
  }
  const deviating = oneKindOfAnswer(before429, quota, mostChance);
  if (deviating !== undefined) return { kind: 'one kind of answer', ...deviating };
  const counts = miscount === undefined ? undefined : countsSideBySide(before429, quota);
  if (counts !== undefined) return { kind: 'counts side by side', counts };
  const fall = changes.find((change) => fallBeyondUse(change) > 0);
  if (fall === undefined) {
    const of = freeMethodOf(changes);
    if (miscount !== undefined && of !== undefined)
      return { kind: 'not counted', unexplained: miscount.unexplained, of };
    const areExact = countsExactlyOneByOne(series, quota) && !missesOneByOne(series, quota);
    if (areExact && !countsEachAtOnce(before429)) return { kind: 'lost under concurrency' };
  }
  const together = countedTogether(everywhere, others, quota, exclusive);
  if (together !== undefined) return { kind: 'counted together', ...together };
  const constant = constantCostOf(everywhere.flatMap((one) => transitionsBefore429(one, quota.limit)));
  if (constant !== undefined) return { kind: 'each request costs several', ...constant };
  const nth = everyNthCountedOnceMore(changes, mostChance);
  return nth === undefined ? undefined : { kind: 'every nth counts once more', nth };
}
