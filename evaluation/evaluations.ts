/** A long evaluation: a program of this folder, or tests of which `npm test` has a sample. */
export interface Evaluation {
  readonly name: string;
  /** What it shows, in a few words. */
  readonly shows: string;
  /** About how long it takes on two cores. */
  readonly lasts: string;
  /** The module that node runs, and its first arguments. */
  readonly program: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const program = (name: string, lasts: string, module: string, shows: string): Evaluation => ({
  ...{ name, lasts, shows },
  program: [`evaluation/${module}`],
});

/** All of what these test files have, and of more than one draw as often as stated. */
const tests = (
  name: string,
  lasts: string,
  files: readonly string[],
  shows: string,
  env: Evaluation['env'] = {},
): Evaluation => ({
  ...{ name, lasts, shows },
  program: ['tools/run-tests.ts', ...files],
  env: { TEST_SAMPLE: 'all', ...env },
});

/** Every long evaluation. Each runs every night (.github/workflows/nightly.yml). */
export const evaluations: readonly Evaluation[] = [
  program('matrix', 'a minute', 'matrix/main.ts', 'the kill matrix: every fault, and what finds it'),
  program(
    'statistics',
    'hours',
    'statistics/main.ts',
    'runs under random circumstances fail no conforming service',
  ),
  program(
    'mutants',
    'an hour',
    'mutants/main.ts',
    'single changes of the product, and the quick tests beside them',
  ),
  program('bench', 'minutes', 'bench/main.ts', 'speed and memory, compared in the same run'),
  program('determinism', '30 minutes', 'determinism/main.ts', 'repeated runs come to the same verdicts'),
  program('compare-sets', '20 minutes', 'load/compare-sets/main.ts', 'comparisons of sets of load runs'),
  program(
    'outsiders',
    '15 minutes',
    'third-party/certify/main.ts',
    'services in other languages, with every break',
  ),
  program(
    'load-outsiders',
    '10 minutes',
    'third-party/load/main.ts',
    'load profiles against services in Go and Python',
  ),
  program(
    'clients',
    '15 minutes',
    'clients/matrix/main.ts',
    'every client of the catalogue, tested with the command',
  ),
  program('client-libraries', '25 minutes', 'third-party/libraries/main.ts', 'HTTP libraries as clients'),
  program('client-simulation', 'minutes', 'clients/simulation/main.ts', 'simulated clients, judged'),
  tests('hostile', '3 minutes', ['evaluation/hostile'], 'every attack of a target'),
  tests(
    'selection',
    '2 minutes',
    ['evaluation/selection.test.ts'],
    'every requirement alone, against every fault and variant',
    {
      SELECTION_IDS: '80',
    },
  ),
  tests(
    'faces',
    '10 minutes',
    ['evaluation/faces.test.ts'],
    'certify and Playwright agree about every fault',
    {
      PROVE_ALL_FACES: '1',
    },
  ),
  tests('nothing-lost', 'minutes', ['evaluation/nothing-lost'], 'interrupted runs and damaged journals', {
    PROVE_KILLS: '100',
    PROVE_PHASES: '1',
  }),
  tests('fuzz', 'minutes', ['evaluation/testing/suites/fuzz.test.ts'], 'readers of what a target sends', {
    FUZZ_RUNS: '100000',
  }),
  tests('tests', '15 minutes', [], 'every test, those included of which npm test has a sample'),
];
