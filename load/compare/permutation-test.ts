/** One measure of all runs, the first set before the second; higher is worse. */
export type Measure = readonly number[];

/** More ways to divide the runs are not counted one by one, but drawn. */
const MOST_COUNTED = 15_000;

const DRAWN = 15_000;

/**
 * For each measure, the chance that the second set (the last `second` values) ranks as high as it does in this measure,
 * or higher in any other, if the runs of both sets are alike: the rank-sum test over every division into two such sets,
 * adjusted for all measures together (Westfall and Young, step-down). It assumes nothing about distributions.
 */
export function chancesOfHigherRanks(measures: readonly Measure[], second: number): readonly number[] {
  const runs = measures[0]?.length ?? 0;
  const scores = measures.map(standardScores);
  const observedRuns = Array.from({ length: second }, (_, i) => runs - second + i);
  const observed = scores.map((score) => sumOf(score, observedRuns));
  const reached = measures.map(() => 0);
  let counted = 0;
  const count = (chosen: readonly number[]): void => {
    counted += 1;
    let highest = Number.NEGATIVE_INFINITY;
    for (const score of scores) if (score.length > 0) highest = Math.max(highest, sumOf(score, chosen));
    for (const [at, own] of observed.entries())
      if (highest >= own - ROUNDING) reached[at] = (reached[at] ?? 0) + 1;
  };
  everyDivision(runs, second, count);
  return reached.map((times, at) => (scores[at]?.length === 0 ? 1 : times / counted));
}

/**
 * Calls back with each division of the runs into two sets, as the runs of the second one; with drawn ones where there
 * are too many. The one that was observed, in which the last runs are the second set, is always among them.
 */
export function everyDivision(runs: number, second: number, use: (chosen: readonly number[]) => void): void {
  if (waysToChoose(runs, second) <= MOST_COUNTED) {
    forEachChoice(runs, second, use);
    return;
  }
  use(Array.from({ length: second }, (_, i) => runs - second + i));
  for (let i = 0; i < DRAWN; i += 1) use(drawn(runs, second, i));
}

export function waysToChoose(all: number, chosen: number): number {
  let ways = 1;
  for (let i = 1; i <= chosen; i += 1) ways = (ways * (all - chosen + i)) / i;
  return Math.round(ways);
}

/** What sums of floating-point numbers may differ by. */
export const ROUNDING = 1e-9;

const sumOf = (scores: readonly number[], chosen: readonly number[]): number =>
  chosen.reduce((sum, run) => sum + (scores[run] ?? 0), 0);

/** The ranks, with the mean 0 and one spread for all measures, so that their sums over a set can be compared; none of a constant measure. */
function standardScores(values: Measure): readonly number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const mean = values.length - 1;
  const ranks = values.map((value) => sorted.indexOf(value) + sorted.lastIndexOf(value) - mean);
  const spread = Math.sqrt(ranks.reduce((sum, rank) => sum + rank ** 2, 0));
  return spread === 0 ? [] : ranks.map((rank) => rank / spread);
}

/** Calls back with every choice of so many of these, in one array that changes. */
function forEachChoice(all: number, chosen: number, use: (choice: readonly number[]) => void): void {
  const choice = Array.from({ length: chosen }, (_, i) => i);
  for (;;) {
    use(choice);
    let at = chosen - 1;
    while (at >= 0 && choice[at] === all - chosen + at) at -= 1;
    if (at < 0) return;
    choice[at] = (choice[at] ?? 0) + 1;
    for (let i = at + 1; i < chosen; i += 1) choice[i] = (choice[i - 1] ?? 0) + 1;
  }
}

/** A random choice, the same for the same number. */
function drawn(all: number, chosen: number, seed: number): readonly number[] {
  const order = Array.from({ length: all }, (_, i) => i);
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  for (let i = 0; i < chosen; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    const other = i + (state % (all - i));
    [order[i], order[other]] = [order[other] ?? 0, order[i] ?? 0];
  }
  return order.slice(0, chosen);
}
