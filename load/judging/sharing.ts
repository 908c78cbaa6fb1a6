import type { Exchange } from '../../exchanges/exchange.ts';
import { accepted } from '../../exchanges/outcome-kinds.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import type { Series } from '../../rate-limits/series/series.ts';
import { seriesOf } from '../../rate-limits/series/series.ts';
import {
  allTransitions,
  fallBeyondUse,
  transitionsBefore429,
  unaccountedGain,
} from '../../rate-limits/series/transitions.ts';
import { showsUntouched } from '../../rate-limits/untouched.ts';
import type { Limits } from '../../spec/plans.ts';
import { disturbanceOf } from './disturbance.ts';
import type { ScenarioEvidence } from './evidence.ts';

// Whether two keys of a run share one count. They may lawfully do so where
// they are of one account, and it looks like a third client of either key.

/** So many answers in a row, with requests of other keys between them, tell one count from two. */
const WITNESSES = 5;

/**
 * Whether a key surely has a count of its own: from an untouched limit on, its
 * Remaining fell by exactly what it sent while requests of other keys were
 * accepted, and never by more up to its first refusal. Whatever gives back as
 * much as the others take does not do so from the first request on.
 */
export function countsApart(scenario: ScenarioEvidence, all: readonly Exchange[], limits: Limits): boolean {
  const [first] = scenario.exchanges;
  const changes = scenario.series.flatMap((series) => transitionsBefore429(series, limits.perMinute));
  const turn = changes.findIndex((change) => unaccountedGain(change) > 0);
  const exact = turn === -1 ? changes : changes.slice(0, turn);
  const last = exact.at(-1)?.to.exchange;
  if (first === undefined || last === undefined || !showsUntouched(readingOf(first), limits.perMinute))
    return false;
  const spared = changes.every((change) => fallBeyondUse(change) === 0);
  const own = new Set(scenario.exchanges);
  const others = all.filter(
    (one) =>
      !own.has(one) &&
      accepted(one) &&
      one.sent.mono >= first.received.mono &&
      one.received.mono <= last.sent.mono,
  );
  return spared && exact.length >= WITNESSES && others.length >= WITNESSES;
}

/**
 * What counts against the quiet key where its Remaining falls by more than it
 * sent, and one count of both keys explains every reading: then it is the loud
 * key of this run that shows there, and no third client. Its own requests alone
 * may count, if nothing was used when the run began. Undefined where that is not so.
 */
export function ownCount(
  loud: ScenarioEvidence,
  quiet: ScenarioEvidence,
  limits: Limits,
): readonly Exchange[] | undefined {
  if (countsAlone(quiet.series, limits)) return undefined;
  const both = seriesOf([...loud.exchanges, ...quiet.exchanges], limits);
  const begun =
    both[0]?.[0]?.exchanges.some((one) => showsUntouched(readingOf(one), limits.perMinute)) ?? false;
  return begun && countsAlone(both, limits) ? quiet.exchanges : undefined;
}

/** Whether every reading follows these requests and no others. */
const countsAlone = (series: readonly Series[], limits: Limits): boolean =>
  disturbanceOf(series, limits) === undefined &&
  series.every((one) => allTransitions(one, limits.perMinute).every((change) => fallBeyondUse(change) === 0));
