import { groupedBy } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { operationOf } from '../../exchanges/operation.ts';
import type { Quota } from '../quota.ts';
import type { Series, SeriesStep } from '../series/series.ts';
import type { Transition } from '../series/transitions.ts';
import { fallBeyondUse, transitionsBefore429 } from '../series/transitions.ts';
import { chanceToHit } from './chance.ts';
import { findMiscount } from './impossible-gain.ts';

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

/**
 * Finds the kind of response that alone makes Remaining fall beyond use: without its readings all others are exact,
 * and Remaining falls by more than was sent each time that this kind comes (or goes), and at no other time.
 * Derivation: BOUNDS.md, "One kind of response". Pure.
 * @param mostChance the highest probability at which requests at times of their own may look so.
 */
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
  const exact = transitionsBefore429(others, quota.limit).every((change) => fallBeyondUse(change) === 0);
  return exact && findMiscount(others, quota) === undefined;
}
