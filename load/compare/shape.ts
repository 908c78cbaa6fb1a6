import { firstFrom, medianOfNumbers, thinned } from '../../kernel/exchanges/collections.ts';
import type { LatencySummary } from '../../kernel/findings/load.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import { ascending } from '../model/latency.ts';
import type { ComparedFigure } from './measures.ts';
import { figureOf, latenessBetween, NOISE_MS } from './measures.ts';
import { everyDivision, ROUNDING } from './permutation-test.ts';
import type { Sets } from './repetitions.ts';
import { SHAPE_ALARM_RATE } from './repetitions.ts';

/** The share of slow requests in both sets, where their runs show it: reports of earlier versions, and single runs, do not. */
export function shapeFigures(sets: Sets): readonly ComparedFigure[] {
  const { first, second, tolerance } = sets;
  const [before, after] = [latenciesOf(first), latenciesOf(second)];
  const all = [...before, ...after];
  if (all.length < 3) return [];
  if (all.some(({ twentieths }) => twentieths === undefined)) return [];
  const late = latenessBetween(sets, 'p99');
  const found = shapeDifference(before, after, (ms) => late + Math.max(NOISE_MS, tolerance * ms));
  return [shapeFigure(found, sets)];
}

const latenciesOf = (set: readonly LoadRecord[]): readonly LatencySummary[] =>
  set.flatMap(({ latencyMs }) => latencyMs ?? []);

function shapeFigure(
  { share, atMs, chance }: ReturnType<typeof shapeDifference>,
  sets: Sets,
): ComparedFigure {
  const as = figureOf('latency distribution', sets, (set) => {
    const shares = latenciesOf(set).map(({ twentieths = [] }) => 1 - shareUpTo(twentieths, atMs));
    return `${Math.round(100 * medianOfNumbers(shares))} % over ${atMs.toFixed(2)} ms`;
  });
  if (share <= sets.tolerance) return as('same');
  return chance <= SHAPE_ALARM_RATE
    ? as('worse')
    : as('undecided', 'not decidable with these repetitions: record more runs of each');
}

/**
 * The two-sample Kolmogorov–Smirnov test, one-sided, over runs: the greatest difference between the two distributions
 * of latency, against that of every other division of the runs into two sets. Requests of one run disturb each other,
 * so runs are divided and not requests. A third of the requests on a slow path moves no median, but shows here.
 * @param marginOf what a latency may grow by without counting, in milliseconds.
 * @returns by how much greater the share of slow requests is in the second set, at the latency where that is greatest,
 * 0 to 1; and the chance of such a difference between alike sets.
 */
function shapeDifference(
  first: readonly LatencySummary[],
  second: readonly LatencySummary[],
  marginOf: (ms: number) => number,
) {
  const runs = [...first, ...second].map(({ twentieths = [] }) => twentieths);
  const grid = thinned(ascending(runs.flat()), MOST_COMPARED);
  const within = runs.map((values) => Float64Array.from(grid, (ms) => shareUpTo(values, ms)));
  const margined = runs.map((values) =>
    Float64Array.from(grid, (ms) => shareUpTo(values, ms + marginOf(ms))),
  );
  const all = grid.map((_, at) => within.reduce((sum, shares) => sum + (shares[at] ?? 0), 0));
  const greatestOf = (chosen: readonly number[]): { readonly share: number; readonly at: number } => {
    let found = { share: 0, at: 0 };
    for (let at = 0; at < grid.length; at += 1) {
      let others = all[at] ?? 0;
      let own = 0;
      for (const run of chosen) {
        others -= within[run]?.[at] ?? 0;
        own += margined[run]?.[at] ?? 0;
      }
      const share = others / (runs.length - chosen.length) - own / chosen.length;
      if (share > found.share) found = { share, at };
    }
    return found;
  };
  const observed = greatestOf(second.map((_, i) => first.length + i));
  let [counted, reached] = [0, 0];
  everyDivision(runs.length, second.length, (chosen) => {
    counted += 1;
    if (greatestOf(chosen).share >= observed.share - ROUNDING) reached += 1;
  });
  return { share: observed.share, atMs: grid[observed.at] ?? 0, chance: reached / counted };
}

const MOST_COMPARED = 60;

/** The share of a run's responses that took at most this long, in twentieths. @param twentieths ascending. */
const shareUpTo = (twentieths: readonly number[], ms: number): number =>
  firstFrom(twentieths.length, (at) => (twentieths[at] ?? 0) > ms) / (twentieths.length + 1);
