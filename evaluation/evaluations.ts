import { readFileSync } from 'node:fs';
import { rowsOf } from './testing/documents.ts';

/** A long evaluation: a program of this folder, or tests of which `npm test` has a sample. README.md states what it shows. */
export interface Evaluation {
  /** The module that node runs, and its first arguments. */
  readonly program: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const study = (folder: string): Evaluation => ({ program: [`evaluation/${folder}/main.ts`] });

/** All of what these test files have, and of more than one draw as often as stated. */
const tests = (files: readonly string[], env: Evaluation['env'] = {}): Evaluation => ({
  program: ['tools/run-tests.ts', ...files],
  env: { TEST_SAMPLE: 'all', ...env },
});

/** Every long evaluation. Each runs every night (.github/workflows/nightly.yml). */
export const evaluations: Readonly<Record<string, Evaluation>> = {
  matrix: study('matrix'),
  statistics: study('statistics'),
  bench: study('bench'),
  determinism: study('determinism'),
  'compare-sets': study('load/compare-sets'),
  outsiders: study('third-party/certify'),
  'load-outsiders': study('third-party/load'),
  clients: study('clients/matrix'),
  'client-libraries': study('third-party/libraries'),
  'client-simulation': study('clients/simulation'),
  hostile: tests(['evaluation/hostile']),
  selection: tests(['evaluation/selection.test.ts'], { SELECTION_IDS: '80' }),
  faces: tests(['evaluation/faces.test.ts'], { PROVE_ALL_FACES: '1' }),
  'nothing-lost': tests(['evaluation/nothing-lost'], { PROVE_KILLS: '100', PROVE_PHASES: '1' }),
  fuzz: tests(['evaluation/testing/suites/fuzz.test.ts'], { FUZZ_RUNS: '100000' }),
  tests: tests([]),
};

/** What an evaluation shows and how long it takes, from the table of README.md; undefined where it has no row. */
export function described(name: string): string | undefined {
  const rows = rowsOf(readFileSync(new URL('README.md', import.meta.url), 'utf8'));
  const [, shows, , lasts] =
    rows.find(([, , command]) => command === `\`npm run evaluate -- ${name}\``) ?? [];
  return shows && `${shows.replaceAll(/ \(\[.*?\]\(.*?\)\)|`/g, '')} (${lasts})`;
}
