import { statesStored, storedLines } from '../../exchanges/cache-headers.ts';
import { groupedBy } from '../../exchanges/collections.ts';
import type { Body, Exchange, HeaderLine } from '../../exchanges/exchange.ts';
import { answerOf, headersOf, headerValue } from '../../exchanges/headers.ts';
import { rateHeadersOf } from '../../exchanges/rate-headers.ts';
import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import type { Reading } from './reading.ts';
import { readingOf } from './reading.ts';

/** Statuses of a response that a cache stores: a list, or that it is unchanged. */
const STORED_STATUS: ReadonlySet<number> = new Set([200, 304]);

/** The clocks of two responses round Reset to a second, in either direction. */
const SAME_RESET_SECONDS = 1;

/**
 * Marks what a cache answered with a response that it had stored (`shownAgain`): such a request reached no limiter,
 * and its headers are no reading. Everything that a fault in a count could look like is left out. Derivation:
 * BOUNDS.md, "A stored response".
 */
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
    for (const one of others) first.set(one, original.n);
  }
  return exchanges.map((exchange) => {
    const shownAgain = exchange.shownAgain ?? first.get(exchange);
    return shownAgain === exchange.shownAgain || shownAgain === undefined
      ? exchange
      : { ...exchange, shownAgain };
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
    return [...groupedBy(ordered, readingText)].flatMap(([reading, group]) =>
      reading !== undefined && mayBeOneResponse(group, ordered) ? [group] : [],
    );
  });
}

/** Limit, Remaining and Reset as one text; undefined where one is unusable. */
function readingText(exchange: Exchange): string | undefined {
  const { limit, remaining, reset } = rateHeadersOf(exchange);
  return limit === undefined || remaining === undefined || reset === undefined
    ? undefined
    : `${limit} ${remaining} ${reset}`;
}

/** @param ordered every response to the same target, in the order of receipt. */
function mayBeOneResponse(group: readonly [Exchange, ...Exchange[]], ordered: readonly Exchange[]): boolean {
  const [original, ...others] = group;
  return (
    others.length > 0 &&
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
  const { limit, remaining, reset } = rateHeadersOf(to);
  if (from === undefined || limit !== from.limit || remaining === undefined || reset === undefined)
    return false;
  const { sent, received } = from.exchange;
  const apart = Math.abs(reset - (rateHeadersOf(from.exchange).reset ?? Number.POSITIVE_INFINITY));
  return (
    received.mono <= to.sent.mono &&
    apart <= SAME_RESET_SECONDS &&
    remaining - from.remaining + 1 > mostRefill(quota, to.received.mono - sent.mono)
  );
}

/** The last of these readings that was received before a request was sent. @param counted in the order of receipt. */
function before({ sent }: Exchange, counted: readonly Reading[]): Reading | undefined {
  let [low, high] = [0, counted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((counted[middle] as Reading).exchange.received.mono <= sent.mono) low = middle + 1;
    else high = middle;
  }
  return counted[low - 1];
}

function isSameResponse(one: Exchange, other: Exchange): boolean {
  const [a, b] = [answerOf(one), answerOf(other)];
  if (a === undefined || b === undefined) return false;
  const sameDate = headerValue(headersOf(one), 'Date') === headerValue(headersOf(other), 'Date');
  if (!sameDate && !statesStored(other)) return false;
  // A cache answers 304 without the body and its headers.
  if (a.status !== b.status) return true;
  return sameBody(a.body, b.body) && (statesStored(other) || storedLines(one) === storedLines(other));
}

const sameBody = (a: Body, b: Body): boolean =>
  a.bytes === b.bytes && (a.cut ? a.excerpt : a.text) === (b.cut ? b.excerpt : b.text);
