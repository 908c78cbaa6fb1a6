import type { Exchange } from '../exchanges/exchange.ts';
import type { ConstantCost } from './bounds/constant-cost.ts';
import { constantCostOf, countsUnauthenticated, freeMethodOf } from './bounds/constant-cost.ts';
import { countsSideBySide } from './bounds/counts-side-by-side.ts';
import { everyNthCountedOnceMore } from './bounds/every-nth.ts';
import { findImpossibleBatch } from './bounds/impossible-batch.ts';
import type { Miscount } from './bounds/impossible-gain.ts';
import { findMiscount, refilledTooOften } from './bounds/impossible-gain.ts';
import { findJumpWithinOneReset, missesOneByOne } from './bounds/jump-within-one-reset.ts';
import type { DeviatingKind } from './bounds/one-kind-of-answer.ts';
import { oneKindOfAnswer } from './bounds/one-kind-of-answer.ts';
import { countsExactlyOneByOne } from './bounds/parallel-undercount.ts';
import type { SeparateCounters } from './bounds/separate-counters.ts';
import { findSeparateCounters } from './bounds/separate-counters.ts';
import { countsInvalidCredentials } from './bounds/similar-keys.ts';
import type { Quota } from './quota.ts';
import type { Series } from './series/series.ts';
import { beforeFirst429 } from './series/series.ts';
import type { Transition } from './series/transitions.ts';
import { exchangesOfTransitions, fallBeyondUse, isJump, transitionsBefore429 } from './series/transitions.ts';

/** What makes sense of a Remaining that does not follow the requests of its caller. */
export type Explanation =
  | ({ readonly kind: 'separate counters' } & SeparateCounters)
  | ({ readonly kind: 'one kind of answer' } & DeviatingKind)
  | { readonly kind: 'counts side by side'; readonly counts: number }
  | { readonly kind: 'lost under concurrency' }
  | ({ readonly kind: 'each request costs several' } & ConstantCost)
  | { readonly kind: 'requests without the key are counted' }
  | { readonly kind: 'every nth counts once more'; readonly nth: number }
  /** `of` is the method whose requests are not counted, where it is one. */
  | { readonly kind: 'not counted'; readonly unexplained: number; readonly of?: string }
  /** What another client of the key could have caused. `risen` is what rose besides, beyond any conforming limiter: that client cannot have caused it. */
  | { readonly kind: 'fell beyond use'; readonly risen: number };

/** A Remaining that does not follow the requests, explained as far as possible. */
export interface Discrepancy {
  readonly explanation: Explanation;
  readonly exchanges: readonly Exchange[];
}

/** The highest probability at which another client of the key may look like a fault that is attributed to the target. */
const MOST_CHANCE = 1e-6;

/** What is known besides one series. */
export interface Circumstances {
  /** Requests without a valid key. */
  readonly unauthenticated: readonly Exchange[];
  /** The transitions of every series of the run. */
  readonly everywhere: readonly Transition[];
  /** The user states that no other client uses the key. */
  readonly exclusive: boolean;
}

/**
 * Compares Remaining with the requests of one series and, where they differ,
 * finds the explanation with the fewest assumptions under which every reading
 * makes sense. Another client of the key is one such explanation: it lowers
 * Remaining and never raises it, and knows nothing of our operations, statuses
 * and connections. Pure.
 */
export function explainDiscrepancy(
  series: Series,
  quota: Quota,
  around: Circumstances,
): Discrepancy | undefined {
  const changes = transitionsBefore429(series, quota.limit);
  const miscount =
    findMiscount(series, quota) ??
    findImpossibleBatch(series, quota) ??
    findJumpWithinOneReset(series, quota);
  const beyondUse = changes.filter((change) => fallBeyondUse(change) > 0);
  if (miscount === undefined && beyondUse.length === 0) return refilledAmongParallel(series, quota);
  const exchanges = exchangesOfTransitions(miscount?.changes ?? beyondUse);
  const explanation = causeWithinTarget(series, quota, around, miscount);
  if (explanation !== undefined) return { explanation, exchanges };
  const risen = miscount?.unexplained ?? 0;
  return beyondUse.length > 0 || miscount === undefined
    ? { explanation: { kind: 'fell beyond use', risen }, exchanges }
    : { explanation: { kind: 'not counted', unexplained: risen }, exchanges };
}

/** A limit that is full again more often than a window can begin, and was so among requests sent at the same time. */
function refilledAmongParallel(series: Series, quota: Quota): Discrepancy | undefined {
  const found = refilledTooOften(series, quota);
  if (found === undefined) return undefined;
  const { unexplained, changes } = found;
  return {
    explanation: { kind: 'not counted', unexplained },
    exchanges: exchangesOfTransitions(changes),
  };
}

/** Where no rise is beyond every conforming limiter, one may be a window that began anew: more changes than that must show. */
const LEAST_SWITCHES = 3;

/** The first explanation, from the fewest assumptions on, that only the target can cause. */
function causeWithinTarget(
  series: Series,
  quota: Quota,
  { everywhere, unauthenticated, exclusive }: Circumstances,
  miscount: Miscount | undefined,
): Explanation | undefined {
  const changes = transitionsBefore429(series, quota.limit);
  const fell = changes.some((change) => fallBeyondUse(change) > 0);
  const mostChance = exclusive ? 1 : MOST_CHANCE;
  // Another client may have caused any fall; only what came back shows separate counters.
  const cameBack = miscount !== undefined || changes.some((change) => isJump(change, quota));
  const leastSwitches = miscount !== undefined || exclusive ? 0 : LEAST_SWITCHES;
  return (
    (cameBack ? separateCounters(series, quota, leastSwitches) : undefined) ??
    deviatingKind(series, quota, mostChance) ??
    (miscount === undefined ? undefined : sideBySide(series, quota)) ??
    (fell ? undefined : (freeMethod(changes, miscount) ?? lostUnderConcurrency(series, quota))) ??
    (countsUnauthenticated(everywhere, unauthenticated, exclusive) ||
    countsInvalidCredentials(changes, unauthenticated, mostChance)
      ? { kind: 'requests without the key are counted' }
      : undefined) ??
    constantCost(everywhere) ??
    everyNth(changes, mostChance)
  );
}

function separateCounters(series: Series, quota: Quota, leastSwitches: number): Explanation | undefined {
  const found = findSeparateCounters(series, quota, leastSwitches);
  return found === undefined ? undefined : { kind: 'separate counters', ...found };
}

function deviatingKind(series: Series, quota: Quota, mostChance: number): Explanation | undefined {
  const found = oneKindOfAnswer(beforeFirst429(series), quota, mostChance);
  return found === undefined ? undefined : { kind: 'one kind of answer', ...found };
}

function sideBySide(series: Series, quota: Quota): Explanation | undefined {
  const counts = countsSideBySide(beforeFirst429(series), quota);
  return counts === undefined ? undefined : { kind: 'counts side by side', counts };
}

function freeMethod(changes: readonly Transition[], miscount: Miscount | undefined): Explanation | undefined {
  const of = miscount === undefined ? undefined : freeMethodOf(changes);
  if (miscount === undefined || of === undefined) return undefined;
  return { kind: 'not counted', unexplained: miscount.unexplained, of };
}

const lostUnderConcurrency = (series: Series, quota: Quota): Explanation | undefined =>
  countsExactlyOneByOne(series, quota) && !missesOneByOne(series, quota)
    ? { kind: 'lost under concurrency' }
    : undefined;

function constantCost(changes: readonly Transition[]): Explanation | undefined {
  const found = constantCostOf(changes);
  return found === undefined ? undefined : { kind: 'each request costs several', ...found };
}

function everyNth(changes: readonly Transition[], mostChance: number): Explanation | undefined {
  const nth = everyNthCountedOnceMore(changes, mostChance);
  return nth === undefined ? undefined : { kind: 'every nth counts once more', nth };
}
