import type { Exchange } from '../exchanges/exchange.ts';
import { greatest } from '../exchanges/extremes.ts';
import type { Miscount, Quota, Transition } from './accounting.ts';
import { cited, excess, gain, isJump, miscount, regain, transitions, wholeTooOften } from './accounting.ts';
import { everyNth } from './every-nth.ts';
import { groupBy } from './group-by.ts';
import type { OddKind } from './one-kind-of-answer.ts';
import { oneKindOfAnswer } from './one-kind-of-answer.ts';
import type { Separated } from './separate-counters.ts';
import { separateCounters } from './separate-counters.ts';
import type { Series } from './series.ts';
import { beforeFirst429 } from './series.ts';
import { countsSideBySide } from './side-by-side.ts';

/** What makes sense of a Remaining that does not follow the requests of its caller. */
export type Explanation =
  | ({ readonly kind: 'separate counters' } & Separated)
  | ({ readonly kind: 'one kind of answer' } & OddKind)
  | { readonly kind: 'counts side by side'; readonly counts: number }
  | { readonly kind: 'lost under concurrency' }
  | { readonly kind: 'each request costs several'; readonly cost: number; readonly of: string }
  | { readonly kind: 'requests without the key are counted' }
  | { readonly kind: 'every nth counts once more'; readonly nth: number }
  /** `of` is the method whose requests are the ones that are not counted, where one is. */
  | { readonly kind: 'not counted'; readonly unexplained: number; readonly of?: string }
  /** What another client of the key could have done. `risen` is what rose besides, beyond any conforming limiter: he cannot have done that. */
  | { readonly kind: 'fell beyond use'; readonly risen: number };

/** A Remaining that does not follow the requests, explained as far as it can be. */
export interface Discrepancy {
  readonly explanation: Explanation;
  readonly exchanges: readonly Exchange[];
}

/** How probable it may be, at the most, that another client of the key looks like a fault that is called the target's. */
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
 * makes sense. Another client of the key is one more such explanation: he
 * lowers Remaining and never raises it, and knows nothing of our operations,
 * statuses and connections. Pure.
 */
export function discrepancy(series: Series, quota: Quota, around: Circumstances): Discrepancy | undefined {
  const changes = transitions(series, quota.limit);
  const lost = miscount(series, quota);
  const dear = changes.filter((change) => excess(change) > 0);
  if (lost === undefined && dear.length === 0) return begunAnew(series, quota);
  const exchanges = cited(lost?.changes ?? dear);
  // What was taken, another client may have taken; only what came back shows counters apart.
  const cameBack = lost !== undefined || changes.some((change) => isJump(change, quota));
  const mostChance = around.exclusive ? 1 : MOST_CHANCE;
  const explanation =
    (cameBack
      ? countedApart(series, quota, lost !== undefined || around.exclusive ? 0 : SWITCHES)
      : undefined) ??
    oddKind(series, quota, mostChance) ??
    (lost === undefined ? undefined : sideBySide(series, quota)) ??
    (dear.length === 0 ? (oneMethodFree(changes, lost) ?? lostUnderConcurrency(series, quota)) : undefined) ??
    unauthenticatedCounted(around.everywhere, around.unauthenticated) ??
    severalEach(around.everywhere) ??
    nthCounted(changes, mostChance);
  if (explanation !== undefined) return { explanation, exchanges };
  const risen = lost?.unexplained ?? 0;
  return dear.length > 0 || lost === undefined
    ? { explanation: { kind: 'fell beyond use', risen }, exchanges }
    : { explanation: { kind: 'not counted', unexplained: risen }, exchanges };
}

/** A limit that is whole again more often than a window can begin, and was so among requests sent at the same time. */
function begunAnew(series: Series, quota: Quota): Discrepancy | undefined {
  const found = wholeTooOften(series, quota);
  if (found === undefined) return undefined;
  const { unexplained, changes } = found;
  return { explanation: { kind: 'not counted', unexplained }, exchanges: cited(changes) };
}

/** Where no rise is beyond every conforming limiter, one may be a window that turned: more than that must show. */
const SWITCHES = 3;

function countedApart(series: Series, quota: Quota, leastSwitches: number): Explanation | undefined {
  const found = separateCounters(series, quota, leastSwitches);
  return found === undefined ? undefined : { kind: 'separate counters', ...found };
}

function oddKind(series: Series, quota: Quota, mostChance: number): Explanation | undefined {
  const found = oneKindOfAnswer(beforeFirst429(series), quota, mostChance);
  return found === undefined ? undefined : { kind: 'one kind of answer', ...found };
}

function nthCounted(changes: readonly Transition[], mostChance: number): Explanation | undefined {
  const nth = everyNth(changes, mostChance);
  return nth === undefined ? undefined : { kind: 'every nth counts once more', nth };
}

/** What came back beyond any lawful gain, and each count goes on exactly where it stood. */
function sideBySide(series: Series, quota: Quota): Explanation | undefined {
  const counts = countsSideBySide(beforeFirst429(series), quota);
  return counts === undefined ? undefined : { kind: 'counts side by side', counts };
}

/** Whether every reading makes sense where requests of one method are not counted at all, and those of the others are. */
function oneMethodFree(changes: readonly Transition[], lost: Miscount | undefined): Explanation | undefined {
  if (lost === undefined) return undefined;
  const methods = new Set(changes.flatMap(({ through }) => through.map(({ request }) => request.method)));
  const free = [...methods].find((method) =>
    changes.every(
      ({ through, fallen }) => fallen === through.filter(({ request }) => request.method !== method).length,
    ),
  );
  return free === undefined ? undefined : { kind: 'not counted', unexplained: lost.unexplained, of: free };
}

/** Whether all is well as long as requests come one after another: what they gain flows back, or began anew once. */
function lostUnderConcurrency(series: Series, quota: Quota): Explanation | undefined {
  const crowds = series.filter((step) => step.exchanges.length > 1);
  if (crowds.length === 0) return undefined;
  const changes = transitions(series, quota.limit);
  const crowded = ({ from, to }: Transition): boolean =>
    crowds.some((step) => step.sent >= from.exchange.sent.mono && step.received <= to.exchange.received.mono);
  const single = changes.filter((change) => !crowded(change));
  const gains = single.map(gain);
  const anew = Math.max(0, greatest(single.filter((change) => isJump(change, quota)).map(gain)));
  const first = single[0]?.from.exchange.sent.mono ?? 0;
  const span = (single.at(-1)?.to.exchange.received.mono ?? 0) - first;
  const total = gains.reduce((sum, one) => sum + one, 0);
  return total - anew <= regain(quota, span) ? { kind: 'lost under concurrency' } : undefined;
}

/** Whether every fall is exactly the requests with the key and those without one, and this shows at least twice. */
function unauthenticatedCounted(
  changes: readonly Transition[],
  unauthenticated: readonly Exchange[],
): Explanation | undefined {
  const between = (change: Transition): number =>
    unauthenticated.filter(
      (one) =>
        one.sent.mono >= change.from.exchange.received.mono &&
        one.received.mono <= change.to.exchange.sent.mono,
    ).length;
  const thirdParties = changes.filter((change) => between(change) > 0);
  const exact = changes.every((change) => change.fallen <= change.requests + between(change));
  const exhausted = thirdParties.filter((change) => change.fallen === change.requests + between(change));
  return exact && exhausted.length >= 2 && exhausted.length === thirdParties.length
    ? { kind: 'requests without the key are counted' }
    : undefined;
}

/** How often a cost must show, the same each time, before it is the target's doing and not another client's. */
const WITNESSES = 4;

/** Whether every single request of one kind costs the same number above one, and every other kind one at most. */
function severalEach(changes: readonly Transition[]): Explanation | undefined {
  const single = changes.filter((change) => change.requests === 1);
  const kinds = groupBy(single, ({ to }) => to.exchange.request.method);
  const costs = kinds.map((kind) => ({
    of: kind[0]?.to.exchange.request.method ?? '',
    cost: constantCost(kind),
  }));
  if (costs.some(({ cost }) => cost === undefined)) return undefined;
  const dear = costs.filter(({ cost }) => cost !== undefined && cost > 1);
  const [first] = dear;
  if (first?.cost === undefined) return undefined;
  return {
    kind: 'each request costs several',
    cost: first.cost,
    of: dear.length === costs.length ? 'request' : first.of,
  };
}

function constantCost(kind: readonly Transition[]): number | undefined {
  const falls = new Set(kind.map((change) => Math.max(0, change.fallen)));
  if ([...falls].every((fall) => fall <= 1)) return 1;
  return falls.size === 1 && kind.length >= WITNESSES ? [...falls][0] : undefined;
}
