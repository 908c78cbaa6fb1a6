import { greatest, least } from '../../exchanges/collections.ts';
import { answerOf } from '../../exchanges/headers.ts';
import { rateHeadersOf, secondsToReset } from '../../exchanges/rate-headers.ts';
import type { Quota } from '../quota.ts';
import type { Series } from '../series/series.ts';

/** How far a Reset may jitter within one window, in seconds. */
const JITTER = 2;

/** What a single response shows: how much is missing, and how far ahead its Reset is, in seconds. */
interface Missing {
  readonly missing: number;
  readonly ahead: number;
  readonly reset: number;
  /** Milliseconds on our monotonic clock. */
  readonly at: number;
}

/**
 * Whether a conforming limiter may be full again no earlier than each Reset of these series, although that is more than
 * a window ahead. Derivation: BOUNDS.md, "A Reset of up to two windows".
 * @param slackSeconds what rounding and the clocks of one service add to a Reset.
 */
export function mayBeFullLater(series: readonly Series[], quota: Quota, slackSeconds: number): boolean {
  const shown = series.flatMap((one) => missingIn(one, quota));
  return mayBeCounter(shown, quota) || mayBeBucket(shown, quota, slackSeconds);
}

function missingIn(series: Series, { limit }: Quota): readonly Missing[] {
  return series.flatMap(({ reading, sent }) => {
    if (reading === undefined || reading.limit !== limit) return [];
    const { reset } = rateHeadersOf(reading.exchange);
    const ahead = secondsToReset(answerOf(reading.exchange));
    return reset === undefined || ahead === undefined
      ? []
      : [{ missing: limit - reading.remaining, ahead, reset, at: sent }];
  });
}

/** A sliding counter announces the same end for all of a window, however much is missing. */
function mayBeCounter(shown: readonly Missing[], { windowMs }: Quota): boolean {
  const spanMs = greatest(shown.map(({ at }) => at)) - least(shown.map(({ at }) => at));
  let ends = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const reset of shown.map((one) => one.reset).sort((a, b) => a - b)) {
    if (reset <= end + JITTER) continue;
    ends += 1;
    end = reset;
  }
  return ends <= spanMs / windowMs + 2;
}

/** A bucket that refills in pieces of one size is full with the last piece that is missing. */
function mayBeBucket(shown: readonly Missing[], { limit, windowMs }: Quota, slackSeconds: number): boolean {
  const secondsEach = windowMs / 1000 / limit;
  for (let piece = 1; piece <= limit; piece += 1) {
    const fullAfter = (missing: number): number => Math.ceil((missing + 1) / piece) * piece * secondsEach;
    if (shown.every(({ missing, ahead }) => ahead <= fullAfter(missing) + slackSeconds)) return true;
  }
  return false;
}
