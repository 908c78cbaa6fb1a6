import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import { surelyCounts } from './keyed-requests.ts';
import type { Reading } from './reading.ts';
import type { Series, SeriesStep } from './series.ts';
import { beforeFirst429 } from './series.ts';

/** What happened to Remaining between two readings that state the same limit. */
export interface Transition {
  readonly from: Reading;
  readonly to: Reading;
  /** The keyed requests after `from`, up to and with `to`. */
  readonly through: readonly Exchange[];
  /** How many they are. */
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

/** The transitions between consecutive readings that state `limit`, before the first 429. */
export function transitionsBefore429(series: Series, limit: number): readonly Transition[] {
  return allTransitions(beforeFirst429(series), limit);
}

/** The transitions between consecutive readings that state `limit`, those of a 429 included. */
export function allTransitions(series: Series, limit: number): readonly Transition[] {
  const found: Transition[] = [];
  let from: { readonly step: SeriesStep; readonly reading: Reading; readonly at: number } | undefined;
  for (const [at, step] of series.entries()) {
    const { reading } = step;
    if (reading === undefined || reading.limit !== limit) continue;
    if (from !== undefined) {
      const through =
        at === from.at + 1
          ? step.exchanges
          : series.slice(from.at + 1, at + 1).flatMap((one) => one.exchanges);
      found.push(transition(from.step, from.reading, through, step, reading));
    }
    from = { step, reading, at };
  }
  return found;
}

function transition(
  start: SeriesStep,
  from: Reading,
  through: readonly Exchange[],
  end: SeriesStep,
  to: Reading,
): Transition {
  return {
    from,
    to,
    through,
    requests: through.length,
    sure: through.filter((one) => surelyCounts(one) && one.shownAgain === undefined).length,
    fallen: from.remaining - to.remaining,
    atMostMs: end.received - start.sent,
    atLeastMs: end.sent - start.received,
  };
}

/**
 * How much more quota remains than exact accounting allows, at the least:
 * requests that were not accepted may be free, and a rejected creation may be
 * refunded after its response was written.
 */
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

/** The exchanges on which a list of transitions rests, each once. */
export function exchangesOfTransitions(changes: readonly Transition[]): readonly Exchange[] {
  const exchanges = new Set<Exchange>();
  for (const { from, to } of changes) exchanges.add(from.exchange).add(to.exchange);
  return [...exchanges];
}
