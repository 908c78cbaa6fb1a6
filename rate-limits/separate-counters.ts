import type { Exchange } from '../exchanges/exchange.ts';
import { headerValue } from '../exchanges/headers.ts';
import type { Quota } from './accounting.ts';
import { excess, miscount, transitions } from './accounting.ts';
import { groupBy } from './group-by.ts';
import { partitions } from './partitions.ts';
import type { Series } from './series.ts';
import { beforeFirst429, readingOf, stepsOf } from './series.ts';

/** What a request is counted by, where it is not the key alone. */
export type Separation = 'operation' | 'claimed address' | 'connection';

/** How requests are counted apart. */
export interface Separated {
  readonly by: Separation;
  /** Operations that no other one is counted with and that show no headers: they may have a counter of their own, or none. */
  readonly hidden: readonly string[];
}

/** Requests of one caller, by the counter that each of them is held to belong to. */
type Assignment = (exchange: Exchange) => string;

/** More operations than these are told apart one by one: the ways to share grow with their factorial. */
const MOST_OPERATIONS = 6;

/**
 * By what the requests of a series are counted apart, if every reading makes
 * sense so: the assignment with the fewest counters first, since each of them
 * is an assumption more. Operations may share a counter in any way, and those
 * that show no headers may have none. Pure.
 * @param leastSwitches changes from one operation's counter to another's that must show, each where it stood.
 */
export function separateCounters(series: Series, quota: Quota, leastSwitches: number): Separated | undefined {
  const exchanges = beforeFirst429(series).flatMap((step) => step.exchanges);
  const found = assignments(exchanges).find(
    ([by, assign]) =>
      (by !== 'operation' || switches(series, assign, quota) >= leastSwitches) &&
      explains(exchanges, assign, quota),
  );
  if (found === undefined) return undefined;
  const [by, assign] = found;
  const hidden = groupBy(exchanges, assign).filter((part) =>
    part.every((one) => readingOf(one) === undefined),
  );
  return { by, hidden: [...new Set(hidden.flat().map(operationOf))] };
}

function explains(exchanges: readonly Exchange[], assign: Assignment, quota: Quota): boolean {
  const parts = groupBy(exchanges, assign);
  return parts.length > 1 && parts.every((part) => countsAlone(part, quota));
}

function switches(series: Series, assign: Assignment, { limit }: Quota): number {
  return transitions(series, limit).filter(({ from, to }) => assign(from.exchange) !== assign(to.exchange))
    .length;
}

function assignments(exchanges: readonly Exchange[]): readonly (readonly [Separation, Assignment])[] {
  return [
    ...byOperation(exchanges).map((assign) => ['operation', assign] as const),
    ['claimed address', ({ request }) => headerValue(request.headers, 'X-Forwarded-For') ?? ''],
    ['connection', ({ connection }) => String(connection.id)],
  ];
}

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

/** `GET /v1/categories`: what a router tells apart. */
export const operationOf = ({ request }: Exchange): string =>
  `${request.method} ${request.target.split('?')[0]}`;

/** Whether these requests alone, from an untouched limit, explain every one of their readings. */
function countsAlone(part: readonly Exchange[], quota: Quota): boolean {
  const first = part.findIndex((exchange) => readingOf(exchange)?.limit === quota.limit);
  const reading = part[first] === undefined ? undefined : readingOf(part[first]);
  if (reading === undefined) return true;
  const untouched = reading.remaining >= quota.limit - (first + 1);
  const series = stepsOf(part);
  const exact = transitions(series, quota.limit).every((change) => excess(change) === 0);
  return untouched && exact && miscount(series, quota) === undefined;
}
