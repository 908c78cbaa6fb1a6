import { FALSE_ALARM_RATE } from '../../../load/compare/repetitions.ts';
import type { Results } from '../../study.ts';
import type { Compared } from './tally.ts';

/** The page with the measured rates. */
export const COMPARE_PAGE = new URL('../../COMPARE-SETS.md', import.meta.url);

const table = (head: string, compared: Compared | undefined): readonly string[] => [
  `| ${head} | Runs in a set | Comparisons | Regression | Undecided | No regression |`,
  '|---|--:|--:|--:|--:|--:|',
  ...(compared?.comparisons ?? []).map(
    ({ what, runs, comparisons, regression, undecided, none }) =>
      `| ${what} | ${runs} | ${comparisons} | ${regression} | ${undecided} | ${none} |`,
  ),
  '',
];

/** The page, as Markdown. */
export const renderCompare = (results: Results<Compared>): string =>
  [
    '# What `compare` says of two sets of runs',
    '',
    'Written by `npm run evaluate -- compare-sets --write`; do not edit.',
    '',
    `If nothing changed, a comparison of sets raises a false alarm in at most ${FALSE_ALARM_RATE * 100} of 100 comparisons. It reports a regression where a permutation test says so and the sets differ by more than the tolerance (10 % here, and a millisecond): the rank test over the figures of each run, and the test of Kolmogorov and Smirnov over the distribution of latencies. It assumes that both sets are equally disturbed, so latencies decide only where the runs were recorded in turn, as \`load PROFILE --target A --against B --repeat n\` records them. Where one set is recorded after the other, the noise lies between them: an earlier version then called 5 of 49 equal pairs a regression.`,
    '',
    '## Equal sets',
    '',
    `Real sets: ${results['real-equal']?.runs} runs of \`under\` with k6 against one unchanged server, on a machine with a busy core. Comparisons share runs, so they are not independent.`,
    '',
    ...table('Real', results['real-equal']),
    ...table('Simulated', results['simulated-equal']),
    '## Sets of which the second is worse',
    '',
    `Real sets: runs against the unchanged server and a degraded one in turn (${results['real-worse']?.runs} runs in all). Comparisons share runs.`,
    '',
    ...table('Real', results['real-worse']),
    ...table('Simulated', results['simulated-worse']),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
