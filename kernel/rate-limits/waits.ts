import type { Limits } from '../../spec/plans.ts';
import { greatest } from '../exchanges/collections.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { statusOf } from '../exchanges/headers.ts';
import { accepted, isRateLimited } from '../exchanges/outcome-kinds.ts';
import type { ApparentWaitUnit } from '../exchanges/rate-headers.ts';
import {
  announcedWaitSeconds,
  apparentWaitUnit,
  dateHeaderSeconds,
  literalWaitSeconds,
  rateHeadersOf,
  readRetryAfter,
  secondsToReset,
} from '../exchanges/rate-headers.ts';

// What a retry after Retry-After proves. Proofs against a target rest on the literal seconds of RFC 9110: who waits
// that long has waited long enough in every reading of the header.

/** When the wait that a 429 asks for is over in the literal reading, milliseconds on our clock; undefined without a usable Retry-After. */
export function endOfWait(limited: Exchange): number | undefined {
  const seconds = literalWaitSeconds(limited);
  return seconds === undefined ? undefined : limited.received.mono + seconds * 1000;
}

/** Whether nothing was sent between any 429 and the end of its wait. */
export function waitedOutEvery429(exchanges: readonly Exchange[]): boolean {
  return exchanges.filter(isRateLimited).every((limited) => {
    const end = endOfWait(limited) ?? limited.received.mono;
    return exchanges.every(({ sent }) => sent.mono < limited.received.mono || sent.mono >= end);
  });
}

/** The 429 responses whose waits were waited out together, and the two requests after that. */
export interface Retry {
  readonly limited: readonly [Exchange, ...Exchange[]];
  readonly first: Exchange | undefined;
  readonly second: Exchange | undefined;
}

/** What a retry shows. `afterMs` is the time from the last of the 429 responses to the first request after them. */
export type RetryOutcome =
  | { readonly kind: 'no usable Retry-After'; readonly limited: Exchange }
  | { readonly kind: 'not retried' }
  | { readonly kind: 'retried too early'; readonly first: Exchange }
  /** Retry-After counts another unit than seconds, as the target's own Reset shows. */
  | {
      readonly kind: 'in another unit';
      readonly limited: Exchange;
      readonly unit: ApparentWaitUnit;
      readonly first: Exchange;
      readonly afterMs: number;
      /** Whether the first request was accepted when the wait was over in that unit. */
      readonly confirmed: boolean;
    }
  | { readonly kind: 'not rate-limited'; readonly first: Exchange; readonly afterMs: number }
  | ({
      readonly kind: 'rate-limited again';
      readonly first: Exchange;
      readonly afterMs: number;
    } & SecondRetry);

/** Only `rate-limited twice` is a proof: a first 429 after the wait may be rounding, or the memory of a sliding counter. */
type SecondRetry =
  /** The next request was not answered, or came before the second wait was over; or there was none. */
  | { readonly result: 'open' }
  /** `waitSeconds` is the second wait. */
  | {
      readonly result: 'not rate-limited' | 'rate-limited twice';
      readonly second: Exchange;
      readonly waitSeconds: number;
    };

/** What a retry shows. It attributes nothing. Pure. */
export function retryOutcome({ limited, first, second }: Retry): RetryOutcome {
  const unusable = limited.find((one) => endOfWait(one) === undefined);
  if (unusable !== undefined) return { kind: 'no usable Retry-After', limited: unusable };
  if (first === undefined) return { kind: 'not retried' };
  const afterMs = first.sent.mono - greatest(limited.map(({ received }) => received.mono));
  const otherUnit = inAnotherUnit(limited, first, afterMs);
  if (otherUnit !== undefined) return otherUnit;
  if (limited.some((one) => first.sent.mono < (endOfWait(one) ?? 0)))
    return { kind: 'retried too early', first };
  if (!isRateLimited(first)) return { kind: 'not rate-limited', first, afterMs };
  return { kind: 'rate-limited again', first, afterMs, ...secondRetry(first, second) };
}

/** A request that is accepted when the wait is over in that unit confirms it; another one waited long enough in one of two readings only. */
function inAnotherUnit(
  limited: readonly Exchange[],
  first: Exchange,
  afterMs: number,
): RetryOutcome | undefined {
  const found = limited.flatMap((one) => {
    const unit = apparentWaitUnit(one);
    return unit === undefined ? [] : [{ limited: one, unit }];
  });
  const [shown] = found;
  if (shown === undefined) return undefined;
  const waited = found.every(
    ({ limited: { received }, unit }) => first.sent.mono >= received.mono + unit.seconds * 1000,
  );
  return { kind: 'in another unit', ...shown, first, afterMs, confirmed: waited && accepted(first) };
}

/** A wait of zero seconds is waited out in one. */
const SHORTEST_SECOND_WAIT = 1;

function secondRetry(first: Exchange, second: Exchange | undefined): SecondRetry {
  if (second === undefined || statusOf(second) === undefined) return { result: 'open' };
  const literal = literalWaitSeconds(first);
  if (!isRateLimited(second)) return { result: 'not rate-limited', second, waitSeconds: literal ?? 0 };
  const waitSeconds = Math.max(literal ?? 0, SHORTEST_SECOND_WAIT);
  return second.sent.mono < first.received.mono + waitSeconds * 1000
    ? { result: 'open' }
    : { result: 'rate-limited twice', second, waitSeconds };
}

/** The wait that a 429 announces, in seconds: by Retry-After where that is usable, else by Reset. */
export const waitSeconds429 = (exchange: Exchange): number | undefined =>
  announcedWaitSeconds(exchange) ?? secondsToReset(exchange);

/** A bucket gives the next request back within one interval; a wait beyond the window is about a day, a ban or a penalty. */
export type WaitScale = 'next request' | 'window' | 'longer' | 'unknown';

/** Rounding may add this to the wait for a whole window, in seconds. */
const WINDOW_SLACK = 2;

export function waitScale(exchange: Exchange, limits: Limits): WaitScale {
  const { limit, remaining } = rateHeadersOf(exchange);
  const seconds = waitSeconds429(exchange);
  const isNext = seconds !== undefined && seconds <= Math.ceil(limits.minuteSeconds / limits.perMinute) + 1;
  // A day of which requests are left is not what a wait of a second is about.
  if (limit === limits.perDay) return isNext && (remaining ?? 0) > 0 ? 'next request' : 'longer';
  if (seconds === undefined) return 'unknown';
  if (isNext) return 'next request';
  return seconds <= limits.minuteSeconds + WINDOW_SLACK ? 'window' : 'longer';
}

/** Date, Reset and Retry-After are each rounded to a second: the most by which they disagree about one moment, in seconds. */
const MOST_APART = 2;

/** Then a 429 may be about a limit that no header shows. Without a Date our clock decides, which leaves more open and proves nothing. */
export function waitsBesideReset(exchange: Exchange): boolean {
  const { reset = Number.NaN } = rateHeadersOf(exchange);
  return Math.abs(endOfWaitOnItsClock(exchange) - reset) > MOST_APART;
}

/** When Retry-After ends, in Unix seconds, or NaN; a date stands on the clock of the target by itself. */
function endOfWaitOnItsClock(exchange: Exchange): number {
  const after = readRetryAfter(exchange);
  if (after.kind === 'date') return after.at;
  const wait = announcedWaitSeconds(exchange) ?? Number.NaN;
  return (dateHeaderSeconds(exchange) ?? exchange.received.wall / 1000) + wait;
}

/** Why a wait of another scale than the window leaves the cause of a 429 open, in one sentence. */
export const OPEN_BY_WAIT: Readonly<Record<Exclude<WaitScale, 'window'>, string>> = {
  'next request': 'The announced wait is so short that the limit may be enforced in smaller portions.',
  longer: 'The announced wait is so long that another limit (a day, a penalty) must be the cause.',
  unknown: 'The 429 announces no usable wait, so another limit may be the cause.',
};
