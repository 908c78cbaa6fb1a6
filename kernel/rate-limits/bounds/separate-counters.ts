import { groupedBy } from '../../exchanges/collections.ts';
import type { Exchange, HeaderLine } from '../../exchanges/exchange.ts';
import { headerValue } from '../../exchanges/headers.ts';
import { operationOf } from '../../exchanges/operation.ts';
import type { Quota } from '../quota.ts';
import { readingOf } from '../series/reading.ts';
import type { Series } from '../series/series.ts';
import { beforeFirst429, exchangesOf, stepsOf } from '../series/series.ts';
import { fallBeyondUse, transitionsBefore429 } from '../series/transitions.ts';
import { findMiscount } from './impossible-gain.ts';
import { partitions } from './partitions.ts';

/** What a request is counted by, where it is not the key alone. */
export type Separation = 'operation' | 'User-Agent or Accept-Language' | 'claimed address' | 'connection';

/** How requests are counted apart. */
export interface SeparateCounters {
  readonly by: Separation;
  /** Operations that share a counter with no other and show no headers: they may have a counter of their own, or none. */
  readonly hidden: readonly string[];
}

/** The counter to which each request is assumed to belong. */
export type Assignment = (exchange: Exchange) => string;

/** More operations than these are each assumed to have a counter: the ways to share grow with their factorial. */
const MOST_OPERATIONS = 6;

/**
 * By what the requests of a series are counted separately, if every reading makes sense so: the assignment with the
 * fewest counters first, since each is one assumption more. Operations may share a counter in any way, and those that
 * show no headers may have none. Derivation: BOUNDS.md, "Separate counters". Pure.
 * @param leastSwitches changes from one operation's counter to another's that must show, each where it stood.
 */
export function findSeparateCounters(
  series: Series,
  quota: Quota,
  leastSwitches: number,
): SeparateCounters | undefined {
  const exchanges = exchangesOf(beforeFirst429(series));
  const found = assignments(exchanges).find(
    ([by, assign]) =>
      (by !== 'operation' || switches(series, assign, quota) >= leastSwitches) &&
      explains(exchanges, assign, quota),
  );
  if (found === undefined) return undefined;
  const [by, assign] = found;
  const hidden = [...groupedBy(exchanges, assign).values()].filter((part) =>
    part.every((one) => readingOf(one) === undefined),
  );
  return { by, hidden: [...new Set(hidden.flat().map(operationOf))] };
}

function explains(exchanges: readonly Exchange[], assign: Assignment, quota: Quota): boolean {
  const parts = [...groupedBy(exchanges, assign).values()];
  return parts.length > 1 && parts.every((part) => countsAlone(part, quota));
}

function switches(series: Series, assign: Assignment, { limit }: Quota): number {
  return transitionsBefore429(series, limit).filter(
    ({ from, to }) => assign(from.exchange) !== assign(to.exchange),
  ).length;
}

/** Counters that are separate by what a client chooses, in the order in which they are tried. */
export const SEPARATIONS: readonly (readonly [Separation, Assignment])[] = [
  ['User-Agent or Accept-Language', ({ request }) => clientOf(request.headers)],
  ['claimed address', ({ request }) => headerValue(request.headers, 'X-Forwarded-For') ?? ''],
  ['connection', ({ connection }) => String(connection.id)],
];

const assignments = (exchanges: readonly Exchange[]): readonly (readonly [Separation, Assignment])[] => [
  ...byOperation(exchanges).map((assign) => ['operation', assign] as const),
  ...SEPARATIONS,
];

/** How a client names itself and its language. */
const clientOf = (headers: readonly HeaderLine[]): string =>
  `${headerValue(headers, 'User-Agent')} ${headerValue(headers, 'Accept-Language')}`;

/** Every way in which the operations of these requests may share counters, with the fewest counters first. */
function byOperation(exchanges: readonly Exchange[]): readonly Assignment[] {
  const operations = [...new Set(exchanges.map(operationOf))];
  if (operations.length > MOST_OPERATIONS) return [operationOf];
  return partitions(operations)
    .filter((groups) => groups.length > 1)
    .sort((a, b) => a.length - b.length)
    .map((groups) => (exchange) => {
      const operation = operationOf(exchange);
      return String(groups.findIndex((group) => group.includes(operation)));
    });
}

/** Whether these requests alone, from an untouched limit, explain every one of their readings. */
function countsAlone(part: readonly Exchange[], quota: Quota): boolean {
  const first = part.findIndex((exchange) => readingOf(exchange)?.limit === quota.limit);
  const reading = part[first] === undefined ? undefined : readingOf(part[first]);
  if (reading === undefined) return true;
  const untouched = reading.remaining >= quota.limit - (first + 1);
  const series = stepsOf(part);
  const exact = transitionsBefore429(series, quota.limit).every((change) => fallBeyondUse(change) === 0);
  return untouched && exact && findMiscount(series, quota) === undefined;
}
