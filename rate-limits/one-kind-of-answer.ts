import type { Exchange } from '../exchanges/exchange.ts';
import { statusOf } from '../exchanges/headers.ts';
import type { Quota, Transition } from './accounting.ts';
import { excess, miscount, transitions } from './accounting.ts';
import { chanceToHit } from './chance.ts';
import { groupBy } from './group-by.ts';
import { operationOf } from './separate-counters.ts';
import type { Series, Step } from './series.ts';

/** The one kind of answer whose Remaining does not belong to the count that all others show. */
export interface OddKind {
  /** For a person: `POST`, `400`, `POST /v1/categories` or `POST /v1/categories (400)`. */
  readonly of: string;
  /** How it differs from the count that the other answers show. */
  readonly shows: 'less' | 'more';
}

/** Readings of other kinds that must agree before one kind is called odd. */
const AGREEING = 4;

/** What answers may be told apart by, the coarsest kinds first. */
const kinds: readonly ((exchange: Exchange) => string)[] = [
  ({ request }) => request.method,
  (exchange) => String(statusOf(exchange)),
  operationOf,
  (exchange) => `${operationOf(exchange)} (${statusOf(exchange)})`,
];

/**
 * Finds the kind of answer that alone makes Remaining fall beyond use: without
 * its readings every other one is exact, and each time that it comes (or goes)
 * Remaining falls by more than was sent, and never else. Another client of the
 * key knows nothing of our operations and statuses, and lowers Remaining for
 * good; what chance could do is bounded in `chance.ts`. Pure.
 * @param mostChance how probable it may be, at the most, that requests at times of their own look so.
 */
export function oneKindOfAnswer(series: Series, quota: Quota, mostChance: number): OddKind | undefined {
  const changes = transitions(series, quota.limit);
  const dear = changes.filter((change) => excess(change) > 0);
  if (dear.length === 0) return undefined;
  const readings = series.flatMap(({ reading }) =>
    reading?.limit === quota.limit ? [reading.exchange] : [],
  );
  const candidates = kinds
    .flatMap((kindOf) => groupBy(readings, kindOf).map((group) => ({ kindOf, group })))
    .sort((a, b) => a.group.length - b.group.length);
  for (const { kindOf, group } of candidates) {
    const [one] = group;
    if (one === undefined || readings.length - group.length < AGREEING) continue;
    const of = kindOf(one);
    const isOdd = (exchange: Exchange): boolean => kindOf(exchange) === of;
    const shows = differs(changes, dear, isOdd);
    if (shows === undefined || !exactWithout(series, quota, isOdd)) continue;
    if (candidates.length * chanceToHit(dear, changes) <= mostChance) return { of, shows };
  }
  return undefined;
}

/** Whether Remaining falls beyond use exactly where this kind begins, or exactly where it ends. */
function differs(
  changes: readonly Transition[],
  dear: readonly Transition[],
  isOdd: (exchange: Exchange) => boolean,
): OddKind['shows'] | undefined {
  const begins = changes.filter(({ from, to }) => isOdd(to.exchange) && !isOdd(from.exchange));
  const ends = changes.filter(({ from, to }) => isOdd(from.exchange) && !isOdd(to.exchange));
  const areDear = (others: readonly Transition[]): boolean =>
    others.length === dear.length && others.every((change) => dear.includes(change));
  if (areDear(begins)) return 'less';
  return areDear(ends) ? 'more' : undefined;
}

/** Whether all other readings of the series belong to one count of every request. */
function exactWithout(series: Series, quota: Quota, isOdd: (exchange: Exchange) => boolean): boolean {
  const others = series.map((step): Step => {
    const { reading } = step;
    return reading !== undefined && isOdd(reading.exchange) ? { ...step, reading: undefined } : step;
  });
  const exact = transitions(others, quota.limit).every((change) => excess(change) === 0);
  return exact && miscount(others, quota) === undefined;
}
