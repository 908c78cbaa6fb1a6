import { greatest } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { surelyCounts } from '../series/keyed-requests.ts';
import type { Transition } from '../series/transitions.ts';

/** What happened from one response to a request that surely counts to the next one. */
export interface Stretch {
  readonly fallen: number;
  readonly requests: number;
  readonly sure: number;
  /** Whether its first request surely counts. */
  readonly sound: boolean;
  /** Whether its last request surely counts. */
  readonly ended: boolean;
  /** The requests that are not sure to count, and right after each of which Remaining was one lower. */
  readonly fellAt: readonly Exchange[];
}

/**
 * Transitions joined where they end at a request that may be free or refunded:
 * a limiter that forgets rejected requests gives one back only after its response.
 */
export function stretchesOf(changes: readonly Transition[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const { from, to, through, fallen, requests, sure } of changes) {
    const before = found.at(-1)?.ended === false ? found.pop() : undefined;
    found.push({
      fallen: fallen + (before?.fallen ?? 0),
      requests: requests + (before?.requests ?? 0),
      sure: sure + (before?.sure ?? 0),
      sound: before === undefined ? surelyCounts(from.exchange) : before.sound,
      ended: surelyCounts(to.exchange),
      fellAt: [...(before?.fellAt ?? []), ...(sure === 0 && requests === 1 && fallen === 1 ? through : [])],
    });
  }
  return found;
}

/** Requests that are not sure to count, and that the headers show to be counted. */
export function countedBesides(stretches: readonly Stretch[]): number {
  const besides = ({ fallen, sure, requests }: Stretch): number =>
    Math.min(requests - sure, Math.max(0, fallen - sure));
  return stretches
    .filter(({ sound, ended }) => sound && ended)
    .reduce((sum, stretch) => sum + besides(stretch), 0);
}

/**
 * The same requests one by one, of the stretches that show which ones they are: Remaining was lower right after
 * each of them, and at the end by all of them, so that none was given back.
 */
export const shownToCount = (stretches: readonly Stretch[]): ReadonlySet<Exchange> =>
  new Set(
    stretches
      .filter(({ sound, ended, fallen, sure, fellAt }) => sound && ended && fallen - sure >= fellAt.length)
      .flatMap(({ fellAt }) => fellAt),
  );

/**
 * The most of what was surely used that came back within a stretch. A limiter
 * that gives back in pieces may give one piece more than its time allows, and
 * each piece shows in a response.
 */
export const largestPiece = (stretches: readonly Stretch[]): number =>
  Math.max(0, greatest(stretches.map(({ sure, fallen }) => sure - fallen)));

/** What came back in stretches with requests that may count: a part of a larger piece may hide behind them. */
export const hiddenGains = (stretches: readonly Stretch[]): number =>
  stretches
    .filter(({ requests, sure }) => requests > sure)
    .reduce((sum, { sure, fallen }) => sum + Math.max(0, sure - fallen), 0);
