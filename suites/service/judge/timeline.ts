import { thinned } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted } from '../../../kernel/exchanges/outcome-kinds.ts';
import { readRateHeaders, resetOnOwnClock } from '../../../kernel/exchanges/rate-headers.ts';
import { announcedWaitSeconds } from '../../../kernel/exchanges/retry-after.ts';
import type { Timeline, TimelineEntry } from '../../../kernel/findings/record.ts';

/** Exchanges of a record; a report with more would be slow to open and show nothing more. */
const MOST_ENTRIES = 3000;

/** A wait or a Reset beyond this is no figure for a picture, in milliseconds: a hundred days. */
const FURTHEST_MS = 100 * 86_400_000;

/**
 * The exchanges of a run in figures. Of a long run accepted exchanges are left out, evenly, and then others.
 * @param start the first sending of the run, milliseconds on the monotonic clock.
 */
export function timelineOf(exchanges: readonly Exchange[], start: number): Timeline {
  const sorted = [...exchanges].sort((a, b) => a.sent.mono - b.sent.mono || a.n - b.n);
  const kept = sorted.length <= MOST_ENTRIES ? sorted : selected(sorted);
  return {
    entries: kept.map((exchange) => entryOf(exchange, start)),
    omitted: sorted.length - kept.length,
  };
}

function selected(sorted: readonly Exchange[]): readonly Exchange[] {
  const others = thinned(
    sorted.filter((exchange) => !accepted(exchange)),
    MOST_ENTRIES / 2,
  );
  const taken = thinned(sorted.filter(accepted), MOST_ENTRIES - others.length);
  const kept = new Set([...others, ...taken]);
  return sorted.filter((exchange) => kept.has(exchange));
}

function entryOf(exchange: Exchange, start: number): TimelineEntry {
  const { n, caller, sent, received } = exchange;
  const answer = answerOf(exchange);
  const status = statusOf(exchange);
  const { remaining } = readRateHeaders(answer?.headers ?? []);
  const at = sent.mono - start;
  const reset = resetOnOwnClock(answer, received.wall);
  const sinceStart = reset === undefined ? undefined : reset - sent.wall + at;
  const wait = status === 429 ? announcedWaitSeconds(answer) : undefined;
  return {
    n,
    caller,
    at: rounded(at),
    milliseconds: rounded(received.mono - sent.mono),
    status: status ?? null,
    ...(remaining === undefined ? {} : { remaining }),
    ...(sinceStart === undefined || Math.abs(sinceStart) > FURTHEST_MS ? {} : { reset: rounded(sinceStart) }),
    ...(wait === undefined || wait < 0 || wait * 1000 > FURTHEST_MS ? {} : { wait: rounded(wait * 1000) }),
  };
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
