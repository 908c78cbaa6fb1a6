import type { Limits } from '../../../spec/plans.ts';
import { greatest, least } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { minuteQuota } from '../quota.ts';
import type { Reading } from './reading.ts';
import { readingOf } from './reading.ts';
import { markStored } from './stored-responses.ts';

/**
 * One step in the use of a key: a single request, or several that were under
 * way at the same time and whose order at the target is unknown.
 */
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

/** Every request of a series, in the order of its steps. */
export const exchangesOf = (series: Series): readonly Exchange[] =>
  series.flatMap(({ exchanges }) => exchanges);

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
    const previous = current?.at(-1);
    const paused = previous === undefined || next.sent - previous.received >= limits.minuteSeconds * 1000;
    if (paused || current === undefined) series.push([next]);
    else current.push(next);
  }
  return series;
}

/** The steps before the one in which the first 429 came: what was under way together with it has no order. */
export function beforeFirst429(series: Series): Series {
  const end = indexOfFirst429(series);
  return end === -1 ? series : series.slice(0, end);
}

/** The steps up to and with the one in which the first 429 came. */
export function upToFirst429(series: Series): Series {
  const end = indexOfFirst429(series);
  return end === -1 ? series : series.slice(0, end + 1);
}

const indexOfFirst429 = (series: Series): number =>
  series.findIndex(({ exchanges }) => exchanges.some(isRateLimited));

function step(exchanges: readonly Exchange[]): SeriesStep {
  const [only, second] = exchanges;
  if (only !== undefined && second === undefined) {
    return { exchanges, sent: only.sent.mono, received: only.received.mono, reading: readingOf(only) };
  }
  return {
    exchanges,
    sent: least(exchanges.map((one) => one.sent.mono)),
    received: greatest(exchanges.map((one) => one.received.mono)),
    reading: undefined,
  };
}
