import { statesStored, storedLines } from '../../exchanges/cache-headers.ts';
import type { Body, Exchange } from '../../exchanges/exchange.ts';
import { answerOf, headersOf, headerValue } from '../../exchanges/headers.ts';
import { rateHeadersOf } from '../../exchanges/rate-headers.ts';
import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import { readingOf } from './reading.ts';

/** Statuses of a response that a cache stores: a list, or that it is unchanged. */
const STORED_STATUS: ReadonlySet<number> = new Set([200, 304]);

/** A stored response is shown again for at most this share of a window: later, a window that slides may show the same numbers. */
const LONGEST_LIFE = 1 / 2;

/** The clocks of two responses round Reset to a second, in either direction. */
const SAME_RESET_SECONDS = 1;

/**
 * Marks what a cache answered with a response that it had stored (`shownAgain`): such a request reached no limiter,
 * and its headers are no reading. The responses to one target with the same Limit, Remaining and Reset are one
 * response, shown again, where Remaining fell meanwhile and rose again within that Reset by more than flows back, and
 * all of them have the same body and header lines, with one `Date` unless they state that they were stored. So no
 * fault in Remaining alone is taken for a cache. Derivation: BOUNDS.md, "A stored response".
 */
export function markStored(exchanges: readonly Exchange[], quota: Quota): readonly Exchange[] {
  const first = new Map<Exchange, number>();
  for (const [original, ...others] of sameReadings(exchanges)) {
    if (original === undefined || !isShownAgain(original, others, exchanges, quota)) continue;
    for (const one of others) first.set(one, original.n);
  }
  if (first.size === 0) return exchanges;
  return exchanges.map((exchange) => {
    const shownAgain = first.get(exchange);
    return shownAgain === undefined || exchange.shownAgain !== undefined
      ? exchange
      : { ...exchange, shownAgain };
  });
}

/** The responses to GET that state the same Limit, Remaining and Reset, of one target, in the order of receipt. */
function sameReadings(exchanges: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const groups = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const { method, target } = exchange.request;
    const { limit, remaining, reset } = rateHeadersOf(exchange);
    const status = answerOf(exchange)?.status ?? 0;
    if (method !== 'GET' || !STORED_STATUS.has(status) || remaining === undefined || reset === undefined)
      continue;
    const key = `${limit} ${remaining} ${reset} ${target}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [exchange]);
    else group.push(exchange);
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => group.sort((a, b) => a.received.mono - b.received.mono));
}

function isShownAgain(
  original: Exchange,
  others: readonly Exchange[],
  exchanges: readonly Exchange[],
  quota: Quota,
): boolean {
  const last = others.findLast(({ caller }) => caller === original.caller);
  if (last === undefined) return false;
  return (
    last.received.mono - original.sent.mono <= LONGEST_LIFE * quota.windowMs &&
    others.every((one) => isSameResponse(original, one)) &&
    exchanges.some((between) => wentOnCounting(original, between, last, quota))
  );
}

/** Whether a request between the two shows that the count had fallen, and that the later response is not of it. */
function wentOnCounting(original: Exchange, between: Exchange, last: Exchange, quota: Quota): boolean {
  if (between.sent.mono < original.received.mono || between.received.mono > last.sent.mono) return false;
  const [shown, counted] = [readingOf(original), readingOf(between)];
  if (between.caller !== original.caller || shown?.limit !== quota.limit || counted?.limit !== quota.limit)
    return false;
  const [reset, then] = [rateHeadersOf(original).reset, rateHeadersOf(between).reset];
  const risen = shown.remaining - counted.remaining + 1;
  return (
    Math.abs((then ?? 0) - (reset ?? 0)) <= SAME_RESET_SECONDS &&
    risen > mostRefill(quota, last.received.mono - between.sent.mono)
  );
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
