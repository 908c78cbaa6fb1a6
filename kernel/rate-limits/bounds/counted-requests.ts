import { groupedBy } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { operationOf } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import type { Quota } from '../quota.ts';
import type { Series, SeriesStep, Transition } from '../series.ts';
import { fallBeyondUse, transitionsBefore429 } from '../series.ts';
import { isOneExactCount } from './refill.ts';

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

/** Whether each request of one method, or each that gets one status, costs the same number above one. BOUNDS.md, "A constant cost". */
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
  const above = costs.filter(({ cost }) => (cost ?? 0) > 1);
  const [first] = above;
  if (first?.cost === undefined) return undefined;
  return { cost: first.cost, of: above.length === costs.length ? 'request' : first.of };
}

function costOf(group: readonly Transition[], least: number): number | undefined {
  const falls = new Set(group.map(({ fallen }) => fallen));
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

/** An upper bound on the probability that requests at times of their own hit each stretch of `hit` and no other of `all`. BOUNDS.md, "Chance". */
export function chanceToHit(hit: readonly Transition[], all: readonly Transition[]): number {
  const median = medianOf(all.map(lasted));
  const total = all.reduce(
    (sum, change) => sum + (hit.includes(change) ? lasted(change) : Math.min(lasted(change), median)),
    0,
  );
  return hit.reduce((chance, change, i) => (chance * (i + 1) * lasted(change)) / total, 1);
}

/** Milliseconds in which another request can have come between the two decisions. */
const lasted = ({ atMostMs }: Transition): number => Math.max(atMostMs, Number.EPSILON);

function medianOf(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.floor(ordered.length / 2)] ?? 0;
}

/** Longer periods repeat too rarely in one window to prove anything. */
const LONGEST_PERIOD = 20;

/** Consecutive distances in time that differ by this factor follow no clock. */
const UNEVEN = 1.5;

/** The n: BOUNDS.md, "Every n-th request". @param mostChance the highest probability at which other requests may look so. */
export function everyNthCountedOnceMore(
  changes: readonly Transition[],
  mostChance: number,
): number | undefined {
  const beyond = changes.filter((change) => fallBeyondUse(change) > 0);
  if (followClock(beyond)) return undefined;
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

/** The one kind of response whose Remaining does not belong to the count that all others show. */
export interface DeviatingKind {
  /** As a sentence names it: `POST`, `400`, `POST /v1/categories` or `POST /v1/categories (400)`. */
  readonly of: string;
  /** How it differs from the count that the other responses show. */
  readonly shows: 'less' | 'more';
}

/** Readings of other kinds that must agree before one kind is taken to deviate. */
const AGREEING = 4;

/** By what responses are divided into kinds, the coarsest division first. */
const divisions: readonly ((exchange: Exchange) => string)[] = [
  ({ request }) => request.method,
  (exchange) => String(statusOf(exchange)),
  operationOf,
  (exchange) => `${operationOf(exchange)} (${statusOf(exchange)})`,
];

/** BOUNDS.md, "One kind of response". @param mostChance the highest probability at which other requests may look so. */
export function oneKindOfAnswer(series: Series, quota: Quota, mostChance: number): DeviatingKind | undefined {
  const changes = transitionsBefore429(series, quota.limit);
  const beyond = changes.filter((change) => fallBeyondUse(change) > 0);
  if (beyond.length === 0) return undefined;
  const readings = series.flatMap(({ reading }) =>
    reading?.limit === quota.limit ? [reading.exchange] : [],
  );
  const candidates = divisions
    .flatMap((kindOf) => [...groupedBy(readings, kindOf).values()].map((group) => ({ kindOf, group })))
    .sort((a, b) => a.group.length - b.group.length);
  for (const { kindOf, group } of candidates) {
    const [one] = group;
    if (one === undefined || readings.length - group.length < AGREEING) continue;
    const of = kindOf(one);
    const deviates = (exchange: Exchange): boolean => kindOf(exchange) === of;
    const shows = howItDeviates(changes, beyond, deviates);
    if (shows === undefined || !exactWithout(series, quota, deviates)) continue;
    if (candidates.length * chanceToHit(beyond, changes) <= mostChance) return { of, shows };
  }
  return undefined;
}

/** Whether Remaining falls beyond use exactly where this kind begins, or exactly where it ends. */
function howItDeviates(
  changes: readonly Transition[],
  beyond: readonly Transition[],
  deviates: (exchange: Exchange) => boolean,
): DeviatingKind['shows'] | undefined {
  const begins = changes.filter(({ from, to }) => deviates(to.exchange) && !deviates(from.exchange));
  const ends = changes.filter(({ from, to }) => deviates(from.exchange) && !deviates(to.exchange));
  const areThese = (others: readonly Transition[]): boolean =>
    others.length === beyond.length && others.every((change) => beyond.includes(change));
  if (areThese(begins)) return 'less';
  return areThese(ends) ? 'more' : undefined;
}

/** Whether all other readings of the series belong to one count of every request. */
function exactWithout(series: Series, quota: Quota, deviates: (exchange: Exchange) => boolean): boolean {
  const others = series.map((step): SeriesStep => {
    const { reading } = step;
    return reading !== undefined && deviates(reading.exchange) ? { ...step, reading: undefined } : step;
  });
  return isOneExactCount(others, quota);
}
