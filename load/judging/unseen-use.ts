import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { readingOf } from '../../kernel/rate-limits/series/reading.ts';
import type { Limits } from '../../spec/plans.ts';
import type { Step } from '../model/profile.ts';

/** Requests with a schedule leave a gap before each of them, all through the run. */
const SCHEDULED: ReadonlySet<string> = new Set<Step['kind']>(['paced', 'scheduled']);

/** Another client that exhausts a quota at once, as a burst of `certify` or of this program does, hardly sends more requests in a millisecond. */
const FASTEST_PER_MS = 1;

/** Between the requests of a burst another client would have to hit the right moment; after so long a pause any moment is the right one, in milliseconds. */
const PAUSE_MS = 500;

/**
 * Whether another client of the key may have exhausted, between two requests of this run, the quota that the earlier
 * one of them showed, so that no response shows its use before the 429. A second run with the same key does that.
 */
export function mayHaveUsedAllUnseen(
  exchanges: readonly Exchange[],
  limited: Exchange,
  { perMinute }: Limits,
): boolean {
  const last = exchanges
    .filter(({ sent }) => sent.mono < limited.received.mono)
    .flatMap((one) => readingOf(one) ?? [])
    .findLast(({ limit, remaining }) => limit === perMinute && remaining > 0);
  if (last === undefined) return false;
  const unseenMs = limited.received.mono - last.exchange.sent.mono;
  const leastMs = SCHEDULED.has(limited.probe) ? 0 : PAUSE_MS;
  return unseenMs >= leastMs && last.remaining <= FASTEST_PER_MS * unseenMs;
}
