import type { Transition } from '../series/transitions.ts';
import { fallBeyondUse } from '../series/transitions.ts';
import { chanceToHit } from './chance.ts';

/** Longer periods repeat too rarely in one window to prove anything. */
const LONGEST_PERIOD = 20;

/** Consecutive distances in time that differ by this factor follow no clock. */
const UNEVEN = 1.5;

/**
 * The n of "every n-th request counts once more", if Remaining falls beyond use
 * exactly there. Derivation: BOUNDS.md, "Every n-th request". Pure.
 * @param mostChance the highest probability at which requests at times of their own may look so.
 */
export function everyNthCountedOnceMore(
  changes: readonly Transition[],
  mostChance: number,
): number | undefined {
  const beyond = changes.filter((change) => fallBeyondUse(change) > 0);
  const first = changes[0]?.from.exchange;
  if (first === undefined || beyond.length < 2 || followClock(beyond)) return undefined;
  for (let n = 2; n <= LONGEST_PERIOD; n += 1) {
    for (let offset = 0; offset < n; offset += 1) {
      if (explains(changes, n, offset) && triedUpTo(n) * chanceToHit(beyond, changes) <= mostChance) return n;
    }
  }
  return undefined;
}

/** How many periods and offsets are tried up to n: each is one more chance to look so. */
const triedUpTo = (n: number): number => (n * (n + 1)) / 2;

/** Whether Remaining falls beyond use by the number of n-th requests in each transition. */
function explains(changes: readonly Transition[], n: number, offset: number): boolean {
  let count = offset;
  return changes.every((change) => {
    const before = count;
    count += change.requests;
    return fallBeyondUse(change) === Math.floor(count / n) - Math.floor(before / n);
  });
}

/** Whether the moments come at even distances, as those of a client with a timer do. */
function followClock(beyond: readonly Transition[]): boolean {
  const moments = beyond.map(({ to }) => to.exchange.received.mono);
  const gaps = moments.slice(1).map((moment, i) => moment - (moments[i] ?? moment));
  const uneven = gaps.slice(1).filter((gap, i) => {
    const [less, more] = [Math.min(gap, gaps[i] ?? gap), Math.max(gap, gaps[i] ?? gap)];
    return more >= UNEVEN * Math.max(less, Number.EPSILON);
  });
  return uneven.length < (gaps.length - 1) / 2 || gaps.length < 2;
}
