import { ascending, quantile } from '../../../load/model/latency.ts';
import { STATUSES } from '../../plots/statuses.ts';
import type { Reading } from './readings.ts';

/** What happened to the requests that were sent in one interval of a run. */
export interface Bin {
  /** Seconds. */
  readonly from: number;
  readonly to: number;
  readonly requests: number;
  /** Requests of each status, in the order of `STATUSES`. */
  readonly statuses: readonly number[];
  /** Percentiles of latency in milliseconds; NaN without a response. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** The greatest schedule delay in milliseconds; NaN where nothing was planned. */
  readonly delay: number;
  /** The lowest, median and highest Remaining; NaN where no response has it. */
  readonly remaining: { readonly low: number; readonly median: number; readonly high: number };
}

/** Intervals of a plot: no more than can be distinguished, and no fewer than show a course. */
const MOST_BINS = 90;
const FEWEST_BINS = 12;

/** Requests in an interval on average, so that its percentiles mean something. */
const REQUESTS_IN_BIN = 8;

/** How many intervals suit so many requests. */
export const binCount = (requests: number): number =>
  Math.min(MOST_BINS, Math.max(FEWEST_BINS, Math.round(requests / REQUESTS_IN_BIN)));

/** Divides the time from 0 to `seconds` into equal intervals, by the time of sending. @param readings in the order of sending. */
export function binsOf(readings: readonly Reading[], seconds: number, count: number): readonly Bin[] {
  const width = (seconds > 0 ? seconds : 1) / count;
  const groups = Array.from({ length: count }, (): Reading[] => []);
  for (const reading of readings) {
    groups[Math.min(count - 1, Math.floor(reading.sent / width))]?.push(reading);
  }
  return groups.map((group, i) => binOf(group, i * width, (i + 1) * width));
}

function binOf(group: readonly Reading[], from: number, to: number): Bin {
  const sorted = (field: 'latency' | 'delay' | 'remaining'): readonly number[] =>
    ascending(group.flatMap((one) => one[field] ?? []));
  const [latency, delay, remaining] = [sorted('latency'), sorted('delay'), sorted('remaining')];
  return {
    from,
    to,
    requests: group.length,
    statuses: STATUSES.map((status) => group.filter((one) => one.status === status).length),
    p50: quantile(latency, 0.5),
    p95: quantile(latency, 0.95),
    p99: quantile(latency, 0.99),
    delay: quantile(delay, 1),
    remaining: {
      low: quantile(remaining, 0),
      median: quantile(remaining, 0.5),
      high: quantile(remaining, 1),
    },
  };
}
