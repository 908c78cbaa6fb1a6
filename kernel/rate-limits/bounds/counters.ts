import { groupedBy } from '../../exchanges/collections.ts';
import type { Exchange, HeaderLine } from '../../exchanges/exchange.ts';
import { operationOf } from '../../exchanges/exchange.ts';
import { headerValue } from '../../exchanges/headers.ts';
import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import type { Series, Transition } from '../series.ts';
import {
  beforeFirst429,
  carriesKey,
  exchangesOf,
  fallBeyondUse,
  hasKnownCaller,
  isBetween,
  readingOf,
  stepsOf,
  transitionsBefore429,
} from '../series.ts';
import { chanceToHit } from './counted-requests.ts';
import { isOneExactCount } from './refill.ts';

/** Every way to divide these items into groups, each way once: 15 for four items, 203 for six, so a caller bounds them. */
function partitions<T>(items: readonly T[]): readonly (readonly (readonly T[])[])[] {
  const [first, ...rest] = items;
  if (first === undefined) return [[]];
  return partitions(rest).flatMap((groups) => [
    ...groups.map((group, at) => groups.with(at, [first, ...group])),
    [[first], ...groups],
  ]);
}

/** What a request is counted by, where it is not the key alone. */
export type Separation = 'operation' | 'User-Agent or Accept-Language' | 'claimed address' | 'connection';

export interface SeparateCounters {
  readonly by: Separation;
  /** Operations that share a counter with no other and show no headers: they may have a counter of their own, or none. */
  readonly hidden: readonly string[];
}

/** The counter to which each request is assumed to belong. */
type Assignment = (exchange: Exchange) => string;

/** More operations than these are each assumed to have a counter: the ways to share grow with their factorial. */
const MOST_OPERATIONS = 6;

/** BOUNDS.md, "Separate counters". @param leastSwitches changes between counters of operations that must show, each where it stood. */
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
    .toSorted((a, b) => a.length - b.length)
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
  return untouched && isOneExactCount(stepsOf(part), quota);
}

type OtherCallers = 'requests without the key' | 'requests of other callers';

/** Whose requests this run's own other requests are counted with, and by what counters are separate besides. */
export interface CountedTogether {
  readonly callers: readonly OtherCallers[];
  readonly by: Separation | undefined;
  /** The first fall that shows it, and how many of the other requests lie in it. */
  readonly fall: Transition;
  readonly others: number;
}

/** Two, because between two readings another client in small bursts falls by chance once in a thousand runs. */
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

/** Whose requests account for every fall: BOUNDS.md, "Counted together". @param others what this run sent as another caller. */
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
        startsApart: at > 0 && startsUntouched(steps, quota),
      };
    });
  });
}

const startsUntouched = (steps: Series, { limit }: Quota): boolean => {
  const at = steps.findIndex(({ reading }) => reading?.limit === limit);
  return (steps[at]?.reading?.remaining ?? 0) >= limit - exchangesOf(steps.slice(0, at + 1)).length;
};

/** The first fall beyond use, where these others account for every fall and show wherever they were sent, and chance does not. */
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
