import { groupedBy } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import type { Transition } from '../series/transitions.ts';

/** A cost above one that each request of one kind has. */
export interface ConstantCost {
  readonly cost: number;
  /** The method, the status, or `request` where all of them cost as much. */
  readonly of: string;
}

/** How often a cost must show, the same each time, to be the target's doing and not another client's. */
const LEAST_OBSERVATIONS = 4;

/** The same for a status, of which a run has many in a row, so that another client would have to keep step for longer. */
const LEAST_OF_STATUS = 8;

/**
 * Whether every single request of one method costs the same number above one, and every other method one at most; or
 * every request that gets one status, which may show in the next response only. Derivation: BOUNDS.md, "A constant cost".
 */
export function constantCostOf(changes: readonly Transition[]): ConstantCost | undefined {
  const single = changes.filter((change) => change.requests === 1);
  return (
    costBy(single, ({ to }) => to.exchange.request.method, LEAST_OBSERVATIONS) ??
    costBy(single, ({ to }) => answerWith(to.exchange), LEAST_OF_STATUS) ??
    costBy(single, ({ from }) => answerWith(from.exchange), LEAST_OF_STATUS)
  );
}

const answerWith = (exchange: Exchange): string => `request answered ${statusOf(exchange)}`;

function costBy(
  single: readonly Transition[],
  kindOf: (change: Transition) => string,
  least: number,
): ConstantCost | undefined {
  const costs = [...groupedBy(single, kindOf)].map(([of, group]) => ({ of, cost: costOf(group, least) }));
  if (costs.some(({ cost }) => cost === undefined)) return undefined;
  const above = costs.filter(({ cost }) => cost !== undefined && cost > 1);
  const [first] = above;
  if (first?.cost === undefined) return undefined;
  return { cost: first.cost, of: above.length === costs.length ? 'request' : first.of };
}

function costOf(group: readonly Transition[], least: number): number | undefined {
  const falls = new Set(group.map((change) => Math.max(0, change.fallen)));
  if ([...falls].every((fall) => fall <= 1)) return 1;
  return falls.size === 1 && group.length >= least ? [...falls][0] : undefined;
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
