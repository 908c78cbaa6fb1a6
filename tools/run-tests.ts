import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { testFiles } from './files.ts';
import { compileCommand } from './package/compile.ts';
import { quickOf, slowOf } from './slow-tests.ts';
import { dealt, writeGroups } from './test-groups.ts';

// Runs *.test.ts with node's own runner:
//   npm run test:unit  [-- FOLDER_OR_FILE…]  all of them
//   npm run test:quick [-- FOLDER_OR_FILE…]  those that are not listed in slow-tests.ts
//   npm run test:watch -- FOLDER_OR_FILE…    the same, again after each change
// The start of a process costs as much as most test files, so the quick files share a few
// processes. The files are listed here because Node 20 takes no pattern, and because a run
// without a single test must fail.

/** Processes for the quick files: one for each core of the smallest machine that the tests are meant for. */
const PROCESSES = 2;

/** Young objects of a simulated run survive the default of 16 MB, and copying them takes a sixth of its time. */
const MEMORY = '--max-semi-space-size=64';

const ORDERED = fileURLToPath(new URL('./test-order.ts', import.meta.url));

const { watch, quick: quickOnly, wanted } = given();

const files = testFiles(process.cwd(), wanted);
const quick = quickOf(files);
const slow = quickOnly || watch ? [] : slowOf(files);

if (watch && wanted.length === 0) stop('Name the folder to watch: npm run test:watch -- rate-limits');
if (quick.length + slow.length === 0) {
  const place = wanted.length === 0 ? '.' : wanted.join(', ');
  stop(
    files.length === 0
      ? `No *.test.ts lies in ${place}.`
      : `Every *.test.ts in ${place} is slow (tools/slow-tests.ts): use npm run test:unit -- ${place}`,
  );
}

const groups = writeGroups(process.cwd(), dealt(quick, watch ? 1 : PROCESSES));
const imports = ['tsx', new URL('../evaluation/testing/tools/seeded.ts', import.meta.url).href];
const { status } = spawnSync(
  process.execPath,
  [
    MEMORY,
    ...imports.flatMap((module) => ['--import', module]),
    // node's runner starts a process for each file, which its watch mode does not need.
    ...(watch ? ['--watch', '--test-reporter=spec'] : [ORDERED]),
    // Of the slow files the longest are listed first, and the groups take long: short ones
    // at the end keep all cores busy until then.
    ...groups,
    ...slow,
  ],
  { stdio: 'inherit', env: environment() },
);
process.exit(status ?? 2);

function given() {
  try {
    const options = { quick: { type: 'boolean' }, watch: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { quick: values.quick === true, watch: values.watch === true, wanted: positionals };
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}

/** Slow tests start the command some hundred times: it is compiled once, and named to them (evaluation/testing/cli/entry.ts). */
function environment(): NodeJS.ProcessEnv {
  return slow.length === 0
    ? process.env
    : { ...process.env, PETSTORE_TEST_COMMAND: compileCommand('.compiled') };
}

function stop(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
