import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { accepted } from '../../kernel/exchanges/outcome-kinds.ts';
import { readingOf } from '../../kernel/rate-limits/series/reading.ts';
import type { Series } from '../../kernel/rate-limits/series/series.ts';
import { seriesOf } from '../../kernel/rate-limits/series/series.ts';
import {
  allTransitions,
  fallBeyondUse,
  transitionsBefore429,
  unaccountedGain,
} from '../../kernel/rate-limits/series/transitions.ts';
import { showsUntouched } from '../../kernel/rate-limits/untouched.ts';
import type { Limits } from '../../spec/plans.ts';
import { anotherClientShown } from './another-client.ts';
import type { ScenarioEvidence } from './evidence.ts';
import { mayBeOneCount } from './one-count.ts';

// Whether two keys of a run share one count. A conforming service may count the
// keys of one account together, and that looks like a third client of either key.

/** So many responses in a row, with requests of other keys between them, tell one count from two. */
const LEAST_OBSERVATIONS = 5;

/**
 * Whether a key surely has a count of its own: from an untouched limit on, its
 * Remaining fell by exactly what it sent while requests of other keys were
 * accepted, and never by more up to its first 429. A limiter that gives back as
 * much as the others use does not do so from the first request on.
 */
export function hasOwnCount(scenario: ScenarioEvidence, all: readonly Exchange[]): boolean {
  const { limits } = scenario;
  const [first] = scenario.exchanges;
  const changes = scenario.series.flatMap((series) => transitionsBefore429(series, limits.perMinute));
  const firstGain = changes.findIndex((change) => unaccountedGain(change) > 0);
  const exact = firstGain === -1 ? changes : changes.slice(0, firstGain);
  const last = exact.at(-1)?.to.exchange;
  if (first === undefined || last === undefined) return false;
  if (!showsUntouched(readingOf(first), limits.perMinute)) return false;
  const neverBeyondUse = changes.every((change) => fallBeyondUse(change) === 0);
  const own = new Set(scenario.exchanges);
  const others = all.filter(
    (one) =>
      !own.has(one) &&
      accepted(one) &&
      one.sent.mono >= first.received.mono &&
      one.received.mono <= last.sent.mono,
  );
  return neverBeyondUse && exact.length >= LEAST_OBSERVATIONS && others.length >= LEAST_OBSERVATIONS;
}

/**
 * What counts against the quiet key where its Remaining falls by more than it
 * sent, and one count of both keys explains every reading, and each fall: then the
 * loud key of this run shows there, and no third client. If nothing was used when the run
 * began, its own requests alone may count. Undefined where that is not so.
 */
export function countedWithLoudKey(
  loud: ScenarioEvidence,
  quiet: ScenarioEvidence,
): readonly Exchange[] | undefined {
  const { limits } = quiet;
  if (explainsReadings(quiet.series, limits) || !mayBeOneCount(loud, quiet)) return undefined;
  const both = seriesOf([...loud.exchanges, ...quiet.exchanges], limits);
  const firstStep = both[0]?.[0]?.exchanges ?? [];
  const untouched = firstStep.some((one) => showsUntouched(readingOf(one), limits.perMinute));
  return untouched && explainsReadings(both, limits) ? quiet.exchanges : undefined;
}

/** Whether every reading follows these requests and no others. */
const explainsReadings = (series: readonly Series[], limits: Limits): boolean =>
  anotherClientShown(series, limits) === undefined &&
  series.every((one) => allTransitions(one, limits.perMinute).every((change) => fallBeyondUse(change) === 0));
