import { countOf } from '../../kernel/basics/text.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { readingOf } from '../../kernel/rate-limits/series/reading.ts';
import type { Limits } from '../../spec/plans.ts';
import { nearestMedian } from '../model/latency.ts';
import type { CounterDrift, ScenarioEvidence } from './evidence.ts';

/** Windows that are not compared: until then, a limiter may still remember what came before. */
const SETTLING = 2;

/** The fewest windows on each side of a comparison. */
const FEWEST_WINDOWS = 2;

/** The lowest Remaining of two windows may differ by this much where requests fall to either side of their border. */
const USUAL_DIFFERENCE = 2;

/**
 * Compares what Remaining came down to early and late in a run. Under a constant load every conforming limiter
 * repeats itself, after two windows. Undefined where the run has fewer than six whole windows, or fewer with
 * a Remaining of the minute.
 */
export function counterDrift(exchanges: readonly Exchange[], limits: Limits): CounterDrift | undefined {
  const windowMs = limits.minuteSeconds * 1000;
  const start = exchanges[0]?.sent.mono ?? 0;
  const windows = Math.floor(((exchanges.at(-1)?.received.mono ?? 0) - start) / windowMs);
  const lows = lowestByWindow(exchanges, limits, start)
    .slice(SETTLING, windows)
    .filter((low) => low !== undefined);
  const third = Math.floor(lows.length / 3);
  if (third < FEWEST_WINDOWS) return undefined;
  const [early, late] = [nearestMedian(lows.slice(0, third)), nearestMedian(lows.slice(-third))];
  return { early, late, drifted: Math.abs(late - early) > USUAL_DIFFERENCE + limits.perMinute / 20 };
}

/** The lowest Remaining of the minute in each window from the start; undefined where no response states one. */
function lowestByWindow(
  exchanges: readonly Exchange[],
  { perMinute, minuteSeconds }: Limits,
  start: number,
): readonly (number | undefined)[] {
  const lows: (number | undefined)[] = [];
  for (const exchange of exchanges) {
    const reading = readingOf(exchange);
    if (reading?.limit !== perMinute) continue;
    const window = Math.floor((exchange.sent.mono - start) / (minuteSeconds * 1000));
    lows[window] = Math.min(lows[window] ?? perMinute, reading.remaining);
  }
  return Array.from(lows);
}

/** What the counters of a run show, in a sentence, and whether one drifted. */
export function counterText(scenarios: readonly ScenarioEvidence[]): {
  readonly drifted: boolean;
  readonly text: string;
} {
  const found = scenarios.flatMap(({ key, drift }) => (drift === undefined ? [] : [{ key, ...drift }]));
  const [worst] = [...found].sort((a, b) => Math.abs(b.late - b.early) - Math.abs(a.late - a.early));
  if (worst === undefined)
    return { drifted: false, text: 'Drift of counters was not judged: it needs eight windows.' };
  const low = `the lowest Remaining of a window was ${worst.early} early and ${worst.late} late in the run`;
  return worst.drifted
    ? {
        drifted: true,
        text: `Under the same load, ${low} (key ${worst.key}): the counter drifts, or another client uses the key.`,
      }
    : {
        drifted: false,
        text: `Counters did not drift: of ${countOf(found.length, 'key')}, ${low} where they differ most.`,
      };
}
