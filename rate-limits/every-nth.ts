import type { Transition } from './accounting.ts';
import { excess } from './accounting.ts';
import { chanceToHit } from './chance.ts';

/** Longer periods leave too few of them in a window to tell anything. */
const LONGEST = 20;

/** Consecutive distances in time that differ by this factor follow no clock. */
const UNEVEN = 1.5;

/**
 * The n of "every n-th request counts once more", if Remaining falls beyond use
 * exactly there. Another client of the key knows nothing of our count; one that
 * keeps time could fall in step with ours, so the moments must lie unevenly in
 * time while they lie evenly in the count. Pure.
 * @param mostChance how probable it may be, at the most, that requests at times of their own look so.
 */
export function everyNth(changes: readonly Transition[], mostChance: number): number | undefined {
  const dear = changes.filter((change) => excess(change) > 0);
  const first = changes[0]?.from.exchange;
  if (first === undefined || dear.length < 2 || followAClock(dear)) return undefined;
  for (let n = 2; n <= LONGEST; n += 1) {
    for (let offset = 0; offset < n; offset += 1) {
      if (explains(changes, n, offset) && tried(n) * chanceToHit(dear, changes) <= mostChance) return n;
    }
  }
  return undefined;
}

/** Periods and offsets that were tried up to n: each is one more chance to look so. */
const tried = (n: number): number => (n * (n + 1)) / 2;

/** Whether each fall beyond use is the number of n-th requests in it. */
function explains(changes: readonly Transition[], n: number, offset: number): boolean {
  let count = offset;
  return changes.every((change) => {
    const before = count;
    count += change.requests;
    return excess(change) === Math.floor(count / n) - Math.floor(before / n);
  });
}

/** Whether the moments come at even distances, as those of a client that keeps time do. */
function followAClock(dear: readonly Transition[]): boolean {
  const moments = dear.map(({ to }) => to.exchange.received.mono);
  const gaps = moments.slice(1).map((moment, i) => moment - (moments[i] ?? moment));
  const uneven = gaps.slice(1).filter((gap, i) => {
    const [less, more] = [Math.min(gap, gaps[i] ?? gap), Math.max(gap, gaps[i] ?? gap)];
    return more >= UNEVEN * Math.max(less, Number.EPSILON);
  });
  return uneven.length < (gaps.length - 1) / 2 || gaps.length < 2;
}
