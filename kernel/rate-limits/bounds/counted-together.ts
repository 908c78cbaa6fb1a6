import { groupedBy } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import { carriesKey, hasKnownCaller } from '../series/keyed-requests.ts';
import type { Series } from '../series/series.ts';
import { beforeFirst429, exchangesOf, stepsOf } from '../series/series.ts';
import type { Transition } from '../series/transitions.ts';
import { fallBeyondUse, isBetween, transitionsBefore429 } from '../series/transitions.ts';
import { chanceToHit } from './chance.ts';
import { findMiscount } from './impossible-gain.ts';
import type { Assignment, Separation } from './separate-counters.ts';
import { SEPARATIONS } from './separate-counters.ts';

/** Callers that are no caller of the key under test. */
export type OtherCallers = 'requests without the key' | 'requests of other callers';

/** Whose requests this run's own other requests are counted with, and by what counters are separate besides. */
export interface CountedTogether {
  readonly callers: readonly OtherCallers[];
  readonly by: Separation | undefined;
  /** The first fall that shows it, and how many of the other requests lie in it. */
  readonly fall: Transition;
  readonly others: number;
}

/**
 * How often other requests must show in Remaining before the judge concludes that they are counted. A run sends
 * them between two readings twice, where another client in small bursts falls by chance once in a thousand runs.
 */
const LEAST_SHOWN = { exclusive: 2, shared: 4 } as const;

/** The highest probability at which another client of the key may look so, where a refill hides some of the falls. */
const MOST_CHANCE = 1e-6;

const SETS: readonly (readonly OtherCallers[])[] = [
  ['requests without the key'],
  ['requests of other callers'],
  ['requests without the key', 'requests of other callers'],
];

/** One count first, because each separation is one assumption more. */
const WAYS: readonly (readonly [Separation | undefined, Assignment])[] = [
  [undefined, () => ''],
  ...SEPARATIONS,
];

/**
 * Whose requests lower Remaining beside those of the key, where the requests that this run sent itself account for
 * every fall: then no other client is needed. Derivation: BOUNDS.md, "Counted together". Pure.
 * @param all every stretch of use of the key.
 * @param others what this run sent as another caller.
 * @param exclusive whether the user excludes other clients of the key.
 */
export function countedTogether(
  all: readonly Series[],
  others: readonly Exchange[],
  quota: Quota,
  exclusive: boolean,
): CountedTogether | undefined {
  for (const [by, assign] of WAYS) {
    const parts = partsOf(all, assign, quota);
    if (by !== undefined && !parts.some(({ startsApart }) => startsApart)) continue;
    for (const callers of SETS) {
      const counted = others.filter((one) => !carriesKey(one) && callers.includes(callersOf(one)));
      const shown = accountsForAll(parts, counted, assign, quota, exclusive);
      if (shown !== undefined) return { callers, by, ...shown };
    }
  }
  return undefined;
}

const callersOf = ({ caller }: Exchange): OtherCallers =>
  caller === 'unauthenticated' ? 'requests without the key' : 'requests of other callers';

/** What one counter is assumed to have counted in one stretch of use. */
interface Part {
  readonly counter: string;
  readonly changes: readonly Transition[];
  /** Whether it begins untouched after the stretch did, which shows that it is a counter of its own. */
  readonly startsApart: boolean;
}

function partsOf(all: readonly Series[], assign: Assignment, quota: Quota): readonly Part[] {
  return all.flatMap((series) => {
    const groups = [...groupedBy(exchangesOf(beforeFirst429(series)), assign)];
    return groups.map(([counter, exchanges], at): Part => {
      const steps = stepsOf(exchanges);
      return {
        counter,
        changes: transitionsBefore429(steps, quota.limit),
        startsApart: at > 0 && startsUntouched(steps, quota) && findMiscount(steps, quota) === undefined,
      };
    });
  });
}

const startsUntouched = (steps: Series, { limit }: Quota): boolean => {
  const at = steps.findIndex(({ reading }) => reading?.limit === limit);
  return (steps[at]?.reading?.remaining ?? 0) >= limit - exchangesOf(steps.slice(0, at + 1)).length;
};

/**
 * The first fall beyond use where every fall fits what was sent with the key and by these others, and each place at which they were sent shows
 * them: exactly, or hidden by what flows back, where chance does not explain the places at which Remaining fell beyond use.
 */
function accountsForAll(
  parts: readonly Part[],
  others: readonly Exchange[],
  assign: Assignment,
  quota: Quota,
  exclusive: boolean,
): Pick<CountedTogether, 'fall' | 'others'> | undefined {
  const between = new Map<Transition, number>();
  for (const { counter, changes } of parts)
    for (const change of changes)
      between.set(change, others.filter((one) => assign(one) === counter && isBetween(one, change)).length);
  const changes = [...between.keys()];
  const sent = (change: Transition): number => between.get(change) ?? 0;
  if (!changes.every((change) => change.fallen <= change.requests + sent(change))) return undefined;
  const concerned = changes.filter((change) => sent(change) > 0);
  const hit = concerned.filter((change) => fallBeyondUse(change) > 0);
  const missing = (change: Transition): number =>
    change.through.filter(hasKnownCaller).length + sent(change) - change.fallen;
  const [fall] = hit;
  if (fall === undefined || hit.length < LEAST_SHOWN[exclusive ? 'exclusive' : 'shared']) return undefined;
  if (concerned.every((change) => missing(change) <= 0)) return { fall, others: sent(fall) };
  const flowedBack = concerned.every((change) => missing(change) <= mostRefill(quota, change.atMostMs));
  const hypotheses = WAYS.length * SETS.length;
  const isChance = !exclusive && hypotheses * chanceToHit(hit, changes) > MOST_CHANCE;
  return flowedBack && !isChance ? { fall, others: sent(fall) } : undefined;
}
