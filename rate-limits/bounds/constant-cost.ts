import { groupedBy } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Transition } from '../series/transitions.ts';

/** A cost above one that each request of one kind has. */
export interface ConstantCost {
  readonly cost: number;
  /** The method, or `request` where all of them cost as much. */
  readonly of: string;
}

/** How often a cost must show, the same each time, to be the target's doing and not another client's. */
const LEAST_OBSERVATIONS = 4;

/**
 * Whether every single request of one method costs the same number above one,
 * and every other method one at most. Derivation: BOUNDS.md, "A constant cost".
 */
export function constantCostOf(changes: readonly Transition[]): ConstantCost | undefined {
  const single = changes.filter((change) => change.requests === 1);
  const methods = groupedBy(single, ({ to }) => to.exchange.request.method);
  const costs = [...methods].map(([of, group]) => ({ of, cost: costOf(group) }));
  if (costs.some(({ cost }) => cost === undefined)) return undefined;
  const above = costs.filter(({ cost }) => cost !== undefined && cost > 1);
  const [first] = above;
  if (first?.cost === undefined) return undefined;
  return { cost: first.cost, of: above.length === costs.length ? 'request' : first.of };
}

function costOf(group: readonly Transition[]): number | undefined {
  const falls = new Set(group.map((change) => Math.max(0, change.fallen)));
  if ([...falls].every((fall) => fall <= 1)) return 1;
  return falls.size === 1 && group.length >= LEAST_OBSERVATIONS ? [...falls][0] : undefined;
}

/** The method whose requests are free, where every reading makes sense if these are not counted and all others are. */
export function freeMethodOf(changes: readonly Transition[]): string | undefined {
  const methods = new Set(changes.flatMap(({ through }) => through.map(({ request }) => request.method)));
  return [...methods].find((method) =>
    changes.every(
      ({ through, fallen }) => fallen === through.filter(({ request }) => request.method !== method).length,
    ),
  );
}

/** How often requests without a key must show in Remaining before the judge concludes that they are counted. */
const LEAST_SHOWN = 2;

/** Whether every fall is exactly the requests with the key and those without one, and this shows at least twice. */
export function countsUnauthenticated(
  changes: readonly Transition[],
  unauthenticated: readonly Exchange[],
): boolean {
  const between = (change: Transition): number =>
    unauthenticated.filter(
      (one) =>
        one.sent.mono >= change.from.exchange.received.mono &&
        one.received.mono <= change.to.exchange.sent.mono,
    ).length;
  const concerned = changes.filter((change) => between(change) > 0);
  const exact = changes.every((change) => change.fallen <= change.requests + between(change));
  const counted = concerned.filter((change) => change.fallen === change.requests + between(change));
  return exact && counted.length >= LEAST_SHOWN && counted.length === concerned.length;
}
