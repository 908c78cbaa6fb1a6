import { FALSE_ALARM_RATE } from '../../../load/compare/repetitions.ts';
import type { CompareResults, Comparisons } from './results.ts';

/** The page with the measured rates. */
export const COMPARE_PAGE = new URL('../../COMPARE-SETS.md', import.meta.url);

const table = (head: string, rows: readonly Comparisons[]): readonly string[] => [
  `| ${head} | Runs in a set | Comparisons | Regression | Undecided | No regression |`,
  '|---|--:|--:|--:|--:|--:|',
  ...rows.map(
    ({ what, runs, comparisons, regression, undecided, none }) =>
      `| ${what} | ${runs} | ${comparisons} | ${regression} | ${undecided} | ${none} |`,
  ),
  '',
];

/** The page, as Markdown. */
export const renderCompare = (results: CompareResults): string =>
  [
    '# What `load compare` says of two sets of runs',
    '',
    'Written by `npm run compare-sets -- --write`; do not edit.',
    '',
    `A comparison of sets reports a regression where a permutation test over all figures gives two equal sets a chance of at most ${FALSE_ALARM_RATE * 100} in 100, and the medians differ by more than the tolerance (10 % here, and a millisecond). It assumes that the runs of both sets are equally disturbed. A machine whose load changes slowly breaks that assumption where one set is recorded right after the other; recording the runs of both sets in turn restores it.`,
    '',
    '## Equal sets',
    '',
    `Real sets: ${results.realRuns.equal} runs of \`under\` with k6 against one unchanged server, on a machine with a busy core. Overlapping pairs share runs, so they are not independent.`,
    '',
    ...table('Real', results.realEqual),
    ...table('Simulated', results.simulatedEqual),
    '## Sets of which the second is worse',
    '',
    `Real sets: each set of the unchanged server with one of each degraded one (${results.realRuns.degraded} runs in all).`,
    '',
    ...table('Real', results.realWorse),
    ...table('Simulated', results.simulatedWorse),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
