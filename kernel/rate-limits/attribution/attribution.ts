import type { Limits } from '../../../spec/plans.ts';
import { greatest, least } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { readingOf } from '../series/reading.ts';
import type { Series } from '../series/series.ts';
import { showsUntouched } from '../untouched.ts';
import type { WaitScale } from '../wait-scale.ts';
import { waitScale, waitSeconds429 } from '../wait-scale.ts';
import type { DecisionSpan } from './possible-429.ts';
import { couldBeRateLimited, decisionSpanOf } from './possible-429.ts';

/** Why the cause of a 429 stays open: its announced wait, or what else may have caused it. */
export type OpenCause =
  | Exclude<WaitScale, 'window'>
  | 'use before the run'
  | 'a wait that is not over'
  | 'own requests'
  | 'another client';

/** What caused a 429: the target, against the plan; or that is open, and why. */
export type Cause429 = { readonly kind: 'target' } | { readonly kind: 'open'; readonly because: OpenCause };

/** The requests of one key, around one of its 429 responses. */
export interface KeyUse {
  /** In the order of sending. */
  readonly exchanges: readonly Exchange[];
  readonly series: readonly Series[];
}

const open = (because: OpenCause): Cause429 => ({ kind: 'open', because });

/**
 * Attributes a 429. Only what no conforming limiter of the plan could have
 * caused is attributed to the target. Derivation: BOUNDS.md, "A 429 that no
 * conforming limiter sends".
 * @param counting everything that can count against the key; without it, what the requests themselves show.
 */
export function causeOf429(
  { exchanges, series }: KeyUse,
  limited: Exchange,
  limits: Limits,
  counting: readonly Exchange[] | undefined = knownSince(exchanges, limited, limits),
): Cause429 {
  const scale = waitScale(limited, limits);
  if (scale === 'longer' || scale === 'unknown') return open(scale);
  if (counting === undefined) return open(scale === 'next request' ? scale : 'use before the run');
  if (scale === 'next request' && couldBeSmallPortion(limited, counting, limits)) return open(scale);
  const { span, before } = decisionOf(series, limited, counting);
  if (counting.some((earlier) => mustStillWait(earlier, limited))) return open('a wait that is not over');
  if (couldBeRateLimited(span, before, limits)) return open('own requests');
  return usedUnseen(exchanges, limited, limits) ? open('another client') : { kind: 'target' };
}

/** A client that leaves the plan's own interval between its requests is rate-limited by no bucket, however small. */
function couldBeSmallPortion(limited: Exchange, counting: readonly Exchange[], limits: Limits): boolean {
  const others = counting.filter((one) => one !== limited);
  return couldBeRateLimited(decisionSpanOf(limited), others, limits, 1);
}

/** A run that sends nothing for so much of a window knows little of what others sent meanwhile. */
const LONG_PAUSE = 1 / 10;

/** Another client of the key hardly sends faster than this many times what the plan gives. */
const FASTEST = 2;

/** Whether another client may have used, while this run sent nothing, the quota that the response before had shown. */
function usedUnseen(exchanges: readonly Exchange[], limited: Exchange, limits: Limits): boolean {
  const last = exchanges
    .filter(({ sent }) => sent.mono < limited.received.mono)
    .flatMap((one) => readingOf(one) ?? [])
    .findLast(({ limit, remaining }) => limit === limits.perMinute && remaining > 0);
  if (last === undefined) return false;
  const windows = (limited.received.mono - last.exchange.sent.mono) / (limits.minuteSeconds * 1000);
  return windows > LONG_PAUSE && last.remaining <= FASTEST * limits.perMinute * windows;
}

/**
 * When the 429 was decided, and what may have counted before it. Where no 429
 * came before, one of those that were under way together was the first, and only
 * requests that were not rate-limited came before that one, whichever it was.
 */
function decisionOf(
  series: readonly Series[],
  limited: Exchange,
  counting: readonly Exchange[],
): { readonly span: DecisionSpan; readonly before: readonly Exchange[] } {
  const together = series
    .flat()
    .find(({ exchanges }) => exchanges.includes(limited))
    ?.exchanges.filter(isRateLimited) ?? [limited];
  const from = least(together.map(({ sent }) => sent.mono));
  const earlier = counting.some(
    (one) => isRateLimited(one) && !together.includes(one) && one.sent.mono < from,
  );
  if (earlier) return { span: decisionSpanOf(limited), before: counting.filter((one) => one !== limited) };
  const to = greatest(together.map(({ received }) => received.mono));
  return { span: { from, to }, before: counting.filter((one) => !isRateLimited(one)) };
}

/** Whether an earlier 429 asked for a wait that is not over; with a second for what was rounded down. */
function mustStillWait(earlier: Exchange, limited: Exchange): boolean {
  if (!isRateLimited(earlier) || earlier.received.mono > limited.sent.mono) return false;
  const seconds = waitSeconds429(earlier);
  return seconds === undefined || limited.sent.mono < earlier.received.mono + (seconds + 1) * 1000;
}

/**
 * Everything that counts against the key at a 429, as far as the run can know
 * all of it: from the last response that showed an untouched limit, or after
 * two windows of rest, or the whole run once it is two windows old. Undefined
 * where use before the run may count, too.
 */
function knownSince(
  exchanges: readonly Exchange[],
  limited: Exchange,
  limits: Limits,
): readonly Exchange[] | undefined {
  const memoryMs = 2 * limits.minuteSeconds * 1000;
  let start: number | undefined;
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const [i, exchange] of exchanges.entries()) {
    if (exchange.sent.mono >= limited.sent.mono) break;
    const next = exchanges[i + 1];
    const alone =
      busyUntil <= exchange.sent.mono && (next === undefined || exchange.received.mono <= next.sent.mono);
    const rested = i > 0 && exchange.sent.mono - busyUntil >= memoryMs;
    if (rested || (alone && showsUntouched(readingOf(exchange), limits.perMinute))) start = i;
    busyUntil = Math.max(busyUntil, exchange.received.mono);
  }
  if (start !== undefined) return exchanges.slice(start);
  const [first] = exchanges;
  const isOld = first !== undefined && limited.sent.mono - first.sent.mono >= memoryMs;
  return isOld ? exchanges : undefined;
}
