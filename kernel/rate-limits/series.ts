import type { Limits } from '../../spec/plans.ts';
import { bodyTextForPeople } from '../exchanges/body.ts';
import { firstFrom, greatest, groupedBy, least } from '../exchanges/collections.ts';
import type { Exchange, HeaderLine } from '../exchanges/exchange.ts';
import { operationOf } from '../exchanges/exchange.ts';
import {
  answerOf,
  headersOf,
  headerValue,
  statesStored,
  statusOf,
  storedLines,
} from '../exchanges/headers.ts';
import { accepted, isRateLimited, mayContainError } from '../exchanges/outcome-kinds.ts';
import { rateHeadersOf, readRateHeaders } from '../exchanges/rate-headers.ts';
import type { Quota } from './quota.ts';
import { minuteQuota, mostRefill } from './quota.ts';

/** What was sent with the key under test, in a presentation that is valid or that the specification leaves open. */
export function ofKey(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(isOfKey);
}

const isOfKey = ({ caller }: Exchange): boolean => caller === 'key' || caller === 'unspecified';

/** The key under test, byte for byte or in another spelling of the same characters, as the journal names it. */
const THE_KEY = /\[key(?: in base64| in another case)?\]/;

/** In a form that is no valid credential it must get 401, and yet a limiter before authentication may count it for the key. */
export function carriesKey({ caller, request }: Exchange): boolean {
  if (caller !== 'unauthenticated') return false;
  return (
    THE_KEY.test(request.target) ||
    request.headers.some(([, value]) => THE_KEY.test(value)) ||
    (request.body !== null && THE_KEY.test(request.body.text))
  );
}

/** Whether those count that are not surely the key's is open, so a bound takes the reading that is best for the target. */
export function mayCount(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter((exchange) => isOfKey(exchange) || carriesKey(exchange));
}

/** Whether the request surely uses the quota: it was surely accepted, and its credential is surely the key's. */
export const surelyCounts = (exchange: Exchange): boolean =>
  hasKnownCaller(exchange) && accepted(exchange) && !mayContainError(exchange);

/** Whether the specification says for which key the request counts. */
export const hasKnownCaller = ({ caller }: Exchange): boolean =>
  caller !== 'unspecified' && caller !== 'unauthenticated';

/** A usable statement of the target about the remaining quota. */
export interface Reading {
  readonly exchange: Exchange;
  readonly limit: number;
  readonly remaining: number;
}

/** What a router or a parser of requests answers that may stand before authentication. */
const MAY_PRECEDE_AUTHENTICATION: ReadonlySet<number> = new Set([
  401, 404, 405, 406, 411, 413, 414, 415, 431,
]);

const mayPrecedeAuthentication = (exchange: Exchange): boolean =>
  exchange.caller !== 'unauthenticated' &&
  exchange.behindAuthentication !== true &&
  MAY_PRECEDE_AUTHENTICATION.has(statusOf(exchange) ?? 0);

/** Without the key the same path returned 401, so that a 404 with it comes from behind authentication. */
export function markClosed(exchanges: readonly Exchange[]): readonly Exchange[] {
  const closed = new Set(
    exchanges.flatMap((one) =>
      one.caller === 'unauthenticated' && statusOf(one) === 401 ? operationOf(one) : [],
    ),
  );
  return exchanges.map((one) =>
    statusOf(one) === 404 && closed.has(operationOf(one)) ? { ...one, behindAuthentication: true } : one,
  );
}

/**
 * What one response usably states about the remaining quota. A rejection before authentication is about an
 * unauthenticated caller, whoever sent the request; so may be any response to a presentation of the key that is
 * unspecified or invalid, because authentication and the limiter can differ in whose request that is. What a cache
 * shows again is about the request for which it was stored.
 */
export function readingOf(exchange: Exchange): Reading | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined || exchange.shownAgain !== undefined) return undefined;
  if (exchange.caller === 'unspecified' || carriesKey(exchange)) return undefined;
  if (mayPrecedeAuthentication(exchange)) return undefined;
  const { limit, remaining } = readRateHeaders(answer.headers);
  // A Remaining above the Limit is wrong (RATE-6), so it states nothing about the quota.
  if (limit === undefined || remaining === undefined || remaining > limit) return undefined;
  return { exchange, limit, remaining };
}

/** Statuses of a response that a cache stores: a list, or that it is unchanged. */
const STORED_STATUS: ReadonlySet<number> = new Set([200, 304]);

/** The clocks of two responses round Reset to a second, in either direction. */
const SAME_RESET_SECONDS = 1;

/** What a cache answered reached no limiter, and its headers are no reading: BOUNDS.md, "A stored response". */
export function markStored(exchanges: readonly Exchange[], quota: Quota): readonly Exchange[] {
  const groups = sameReadings(exchanges);
  if (groups.length === 0) return exchanges;
  const repeats = new Set(groups.flatMap(([, ...others]) => others));
  const counted = exchanges
    .filter((one) => one.caller === 'key' && !repeats.has(one))
    .flatMap((one) => readingOf(one) ?? [])
    .filter(({ limit }) => limit === quota.limit)
    .sort((a, b) => a.exchange.received.mono - b.exchange.received.mono);
  if (!isOneCount(counted, quota)) return exchanges;
  const first = new Map<Exchange, number>();
  for (const [original, ...others] of groups) {
    if (!others.some((one) => rose(before(one, counted), one, quota))) continue;
    for (const one of others) if (one.shownAgain === undefined) first.set(one, original.n);
  }
  return exchanges.map((exchange) => {
    const shownAgain = first.get(exchange);
    return shownAgain === undefined ? exchange : { ...exchange, shownAgain };
  });
}

/** What may be one response that was shown again, each in the order of receipt. */
function sameReadings(exchanges: readonly Exchange[]): readonly (readonly [Exchange, ...Exchange[]])[] {
  const byTarget = groupedBy(
    exchanges.filter(({ request, outcome }) => {
      return request.method === 'GET' && outcome.kind === 'answer' && STORED_STATUS.has(outcome.status);
    }),
    ({ request }) => request.target,
  );
  return [...byTarget.values()].flatMap((all) => {
    const ordered = [...all].sort((a, b) => a.received.mono - b.received.mono);
    const alike = [...groupedBy(ordered, readingText).values()].filter(([one, other]) => {
      return other !== undefined && readingText(one) !== undefined;
    });
    return alike.filter((group) => mayBeOneResponse(group, ordered));
  });
}

/** What a response states of the quota; undefined where a part of it is not usable. */
function readingText(exchange: Exchange): string | undefined {
  const { limit, remaining, reset } = rateHeadersOf(exchange);
  return reset === undefined || remaining === undefined || limit === undefined
    ? undefined
    : `${reset} ${remaining} ${limit}`;
}

/** @param ordered every response to the same target, in the order of receipt. */
function mayBeOneResponse(group: readonly [Exchange, ...Exchange[]], ordered: readonly Exchange[]): boolean {
  const [original, ...others] = group;
  return (
    others.every((one) => isSameResponse(original, one)) &&
    (others.every(statesStored) || isOnlyResponse(group, ordered))
  );
}

/** Whether no other response to the same request was surely made between the first of these and the last. */
function isOnlyResponse(group: readonly [Exchange, ...Exchange[]], ordered: readonly Exchange[]): boolean {
  const members = new Set(group);
  const [from] = group;
  const end = group.at(-1)?.sent.mono ?? 0;
  const isAnother = (one: Exchange): boolean =>
    !members.has(one) && one.sent.mono >= from.received.mono && isSameRequest(from, one);
  for (let at = ordered.indexOf(from); at < ordered.length; at += 1) {
    const one = ordered[at];
    if (one === undefined || one.received.mono > end) return true;
    if (isAnother(one)) return false;
  }
  return true;
}

/** Whether a cache may not tell two requests apart: it may by any header. */
const isSameRequest = (one: Exchange, other: Exchange): boolean =>
  one.caller === other.caller && headersText(one.request.headers) === headersText(other.request.headers);

const headersText = (headers: readonly HeaderLine[]): string =>
  headers.map((line) => line.join(': ')).join('\n');

/** Whether no reading is higher than the one before it, within one Reset, by more than flows back. */
const isOneCount = (counted: readonly Reading[], quota: Quota): boolean =>
  counted.every(({ exchange }, at) => !rose(counted[at - 1], exchange, quota));

/** Whether a response shows more than remained before it, within one Reset, by more than flows back. */
function rose(from: Reading | undefined, to: Exchange, quota: Quota): boolean {
  const { limit, remaining = Number.NaN, reset = Number.NaN } = rateHeadersOf(to);
  if (from === undefined || limit !== from.limit) return false;
  const { sent, received } = from.exchange;
  const apart = Math.abs(reset - (rateHeadersOf(from.exchange).reset ?? Number.POSITIVE_INFINITY));
  return (
    received.mono <= to.sent.mono &&
    apart <= SAME_RESET_SECONDS &&
    remaining - from.remaining + 1 > mostRefill(quota, to.received.mono - sent.mono)
  );
}

/** The last of these readings that was received before a request was sent. @param counted in the order of receipt. */
const before = ({ sent }: Exchange, counted: readonly Reading[]): Reading | undefined =>
  counted[firstFrom(counted.length, (at) => (counted[at] as Reading).exchange.received.mono > sent.mono) - 1];

function isSameResponse(one: Exchange, other: Exchange): boolean {
  const [a, b] = [answerOf(one), answerOf(other)];
  if (a === undefined || b === undefined) return false;
  const sameDate = headerValue(headersOf(one), 'Date') === headerValue(headersOf(other), 'Date');
  if (!sameDate && !statesStored(other)) return false;
  // A cache answers 304 without the body and its headers.
  if (a.status !== b.status) return true;
  const sameBody = a.body.bytes === b.body.bytes && bodyTextForPeople(a.body) === bodyTextForPeople(b.body);
  return sameBody && (statesStored(other) || storedLines(one) === storedLines(other));
}

/** One step in the use of a key: a request, or several at the same time, whose order at the target is unknown. */
export interface SeriesStep {
  readonly exchanges: readonly Exchange[];
  /** The earliest sending, milliseconds on the monotonic clock. */
  readonly sent: number;
  /** The latest receipt, milliseconds on the monotonic clock. */
  readonly received: number;
  /** What the response to a single request states; undefined for several, or where the headers are unusable. */
  readonly reading: Reading | undefined;
}

/** The use of one key without a pause of a whole window, oldest step first. */
export type Series = readonly SeriesStep[];

/** Every request of a series, in the order of its steps. Each judge of a limit asks for them, and `flatMap` takes five times as long. */
export function exchangesOf(series: Series): readonly Exchange[] {
  const all: Exchange[] = [];
  // A step of a damaged journal may have more exchanges than a call takes arguments.
  for (const { exchanges } of series) for (const one of exchanges) all.push(one);
  return all;
}

/** Groups exchanges by overlap in time: what overlaps has no order. Pure over the journal's times, no labels needed. */
export function stepsOf(exchanges: readonly Exchange[]): Series {
  const ordered = [...exchanges].sort((a, b) => a.sent.mono - b.sent.mono);
  const groups: Exchange[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const exchange of ordered) {
    const group = groups.at(-1);
    if (group !== undefined && exchange.sent.mono < until) group.push(exchange);
    else groups.push([exchange]);
    until = Math.max(until, exchange.received.mono);
  }
  return groups.map(step);
}

/** Splits the use of a key where it paused for a whole window: no window remembers what came before. */
export function seriesOf(exchanges: readonly Exchange[], limits: Limits): readonly Series[] {
  const series: SeriesStep[][] = [];
  for (const next of stepsOf(markStored(exchanges, minuteQuota(limits)))) {
    const current = series.at(-1);
    const until = current?.at(-1)?.received ?? Number.NEGATIVE_INFINITY;
    if (current === undefined || next.sent - until >= limits.minuteSeconds * 1000) series.push([next]);
    else current.push(next);
  }
  return series;
}

/** The steps before the one in which the first 429 came: what was under way together with it has no order. */
export function beforeFirst429(series: Series): Series {
  const end = indexOfFirst429(series);
  return end === -1 ? series : series.slice(0, end);
}

export function upToFirst429(series: Series): Series {
  const end = indexOfFirst429(series);
  return end === -1 ? series : series.slice(0, end + 1);
}

const indexOfFirst429 = (series: Series): number =>
  series.findIndex(({ exchanges }) => exchanges.some(isRateLimited));

function step(exchanges: readonly Exchange[]): SeriesStep {
  const [first, second] = exchanges;
  return {
    exchanges,
    sent: least(exchanges.map((one) => one.sent.mono)),
    received: greatest(exchanges.map((one) => one.received.mono)),
    reading: first === undefined || second !== undefined ? undefined : readingOf(first),
  };
}

/** What happened to Remaining between two readings that state the same limit. */
export interface Transition {
  readonly from: Reading;
  readonly to: Reading;
  /** The keyed requests after `from`, up to and with `to`. */
  readonly through: readonly Exchange[];
  readonly requests: number;
  /** How many of them surely count: not what a cache answered. */
  readonly sure: number;
  /** How far Remaining fell; negative where it rose. */
  readonly fallen: number;
  /** The longest that can have passed between the two decisions, in milliseconds. */
  readonly atMostMs: number;
  /** The shortest that can have passed between them, in milliseconds. */
  readonly atLeastMs: number;
}

const knownTransitions = new WeakMap<Series, Map<number, readonly Transition[]>>();

/** The transitions between consecutive readings that state `limit`, before the first 429. Most bounds ask for those of one series. */
export function transitionsBefore429(series: Series, limit: number): readonly Transition[] {
  const byLimit = knownTransitions.get(series) ?? new Map<number, readonly Transition[]>();
  const found = byLimit.get(limit) ?? allTransitions(beforeFirst429(series), limit);
  knownTransitions.set(series, byLimit.set(limit, found));
  return found;
}

/** The transitions between consecutive readings that state `limit`, those of a 429 included. */
export function allTransitions(series: Series, limit: number): readonly Transition[] {
  const found: Transition[] = [];
  let last: { readonly step: SeriesStep; readonly from: Reading; readonly at: number } | undefined;
  for (const [at, step] of series.entries()) {
    const { reading: to } = step;
    if (to === undefined || to.limit !== limit) continue;
    if (last !== undefined) {
      const { from, step: start } = last;
      const through = exchangesOf(series.slice(last.at + 1, at + 1));
      found.push({
        from,
        to,
        through,
        requests: through.length,
        sure: through.filter((one) => surelyCounts(one) && one.shownAgain === undefined).length,
        fallen: from.remaining - to.remaining,
        atMostMs: step.received - start.sent,
        atLeastMs: step.sent - start.received,
      });
    }
    last = { step, from: to, at };
  }
  return found;
}

/** At the least: requests that were not accepted may be free, and a rejected creation refunded after its response. */
export function unaccountedGain(change: Transition): number {
  const refund = surelyCounts(change.from.exchange) ? 0 : 1;
  return Math.max(0, change.sure - change.fallen - refund);
}

/** Whether more came back at once than flows back in that time: a window that began anew, or a miscount. */
export const isJump = (change: Transition, quota: Quota): boolean =>
  unaccountedGain(change) > mostRefill(quota, change.atMostMs);

/** By how much Remaining fell beyond the requests that were sent; 0 where it did not. */
export const fallBeyondUse = (change: Transition): number => Math.max(0, change.fallen - change.requests);

/** Whether a request of another caller was decided between the two readings of a transition. */
export const isBetween = ({ sent, received }: Exchange, { from, to }: Transition): boolean =>
  sent.mono >= from.exchange.received.mono && received.mono <= to.exchange.sent.mono;

export function exchangesOfTransitions(changes: readonly Transition[]): readonly Exchange[] {
  const exchanges = new Set<Exchange>();
  for (const { from, to } of changes) exchanges.add(from.exchange).add(to.exchange);
  return [...exchanges];
}
