import { groupedBy, least } from '../../../kernel/exchanges/collections.ts';
import { ascending, quantile } from '../../../load/model/latency.ts';
import type { Reading } from './readings.ts';

/** What became of the requests of one key. */
export interface KeyFigures {
  readonly key: string;
  readonly requests: number;
  /** Without a response, or with neither 2xx nor 429. */
  readonly failed: number;
  readonly rateLimited: number;
  /** Milliseconds; NaN without a response. */
  readonly p50: number;
  readonly p99: number;
  /** The lowest Remaining; Infinity where no response has it. */
  readonly lowestRemaining: number;
}

/** How keys are ranked, as a report says it. */
export const WORST_CRITERION =
  'most failed requests first, then most 429 responses, then the highest p99 latency';

/** The keys of a run from the worst on (`WORST_CRITERION`); of equals, in the order of their first request. */
export function worstKeys(readings: readonly Reading[]): readonly KeyFigures[] {
  const figures = [...groupedBy(readings, ({ key }) => key)].map(([key, own]) => figuresOf(key, own));
  return figures.sort(
    (a, b) => b.failed - a.failed || b.rateLimited - a.rateLimited || (b.p99 || 0) - (a.p99 || 0),
  );
}

function figuresOf(key: string, readings: readonly Reading[]): KeyFigures {
  const rateLimited = readings.filter(({ status }) => status === 'rate-limited').length;
  const accepted = readings.filter(({ status }) => status === 'accepted').length;
  const latency = ascending(readings.flatMap((one) => one.latency ?? []));
  return {
    key,
    requests: readings.length,
    failed: readings.length - rateLimited - accepted,
    rateLimited,
    p50: quantile(latency, 0.5),
    p99: quantile(latency, 0.99),
    lowestRemaining: least(readings.flatMap(({ remaining }) => remaining ?? [])),
  };
}
