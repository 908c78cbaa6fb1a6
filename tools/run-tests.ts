import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { WITH_PACKAGES } from './package/bundle.ts';
import { compileModules } from './package/compile-modules.ts';
import { testFiles } from './project-files.ts';
import { sampleName } from './sample.ts';
import { computingOf, GROUP_PROGRAM, quickOf, slowOf, withoutOtherDays, writeGroups } from './test-groups.ts';

// Runs *.test.ts with node's own runner:
//   npm run test:unit  [-- FOLDER_OR_FILE…]  all of them
//   npm run test:quick [-- FOLDER_OR_FILE…]  those that test-groups.ts does not list as slow
// The start of a process costs as much as most test files, so the quick files and the slow ones that
// only compute share a few processes. The files are listed here because Node 20
// takes no pattern, and because a run without a single test must fail.

/** Processes that files share: one for each core of the smallest machine that the tests are meant for. The other slow files wait for half of their time. */
const PROCESSES = 2;

/** Young objects of a simulated run survive the default of 16 MB, and copying them takes a sixth of its time. */
const MEMORY = '--max-semi-space-size=64';

/** The program that runs the tests, and what every process of it imports first. */
const [IN_ORDER, PRELOADED] = ['tools/test-order.ts', 'evaluation/testing/tools/seeded.ts'] as const;

/** Where the tests are compiled, and the programs that they start. Playwright compiles what it imports again, except packages. */
const COMPILED = { tests: '.compiled/tests', programs: '.compiled/node_modules/programs' } as const;

/** What slow tests start some hundred times, compiled with its packages: the command, and the Playwright interface in projects of others. */
const PROGRAMS = [
  'evaluation/testing/cli/start-command.ts',
  'interfaces/playwright/index.ts',
  'interfaces/playwright/reporter.ts',
];

const { quick: quickOnly, wanted } = given();

const all = testFiles(process.cwd(), wanted);
// Whoever names files wants them on any day.
const files = wanted.length > 0 ? all : withoutOtherDays(all);
const quick = quickOf(files);
const slow = quickOnly ? [] : slowOf(files);
const computing = computingOf(slow);
const alone = slow.filter((file) => !computing.includes(file));

if (quick.length + slow.length === 0) {
  const place = wanted.length === 0 ? '.' : wanted.join(', ');
  stop(
    files.length === 0
      ? `No *.test.ts lies in ${place}.`
      : `Every *.test.ts in ${place} is slow (tools/test-groups.ts): use npm run test:unit -- ${place}`,
  );
}

/** Of the usage ledger: the runs of the tests are no use of the developer's keys. */
const state = mkdtempSync(join(tmpdir(), 'test-state-'));
const env = { ...(await environment()), XDG_STATE_HOME: state, TEST_SAMPLE: sampleName };
// A few quick files load from source sooner than they are compiled.
const isShort = slow.length === 0 && wanted.length > 0;
const { moduleOf, options } = isShort ? source() : await compiled();
const groups = writeGroups([...computing, ...quick], PROCESSES, moduleOf);
if (slow.length > 0)
  console.log(
    `Of long evaluations: the sample of ${sampleName}. TEST_SAMPLE=${sampleName} repeats it, TEST_SAMPLE=all has everything.`,
  );
const { status } = spawnSync(
  process.execPath,
  [
    MEMORY,
    ...options,
    ...['--import', pathToFileURL(moduleOf(PRELOADED)).href],
    moduleOf(IN_ORDER),
    // The groups take long, and of the slow files the longest come first: short ones at the
    // end keep all cores busy until then.
    ...groups,
    ...alone.map(moduleOf),
  ],
  { stdio: 'inherit', env },
);
rmSync(state, { recursive: true, force: true });
process.exit(status ?? 2);

function given() {
  try {
    const options = { quick: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { quick: values.quick, wanted: positionals };
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}

/** How node runs tests, with their modules. */
function source() {
  return { moduleOf: (file: string) => resolve(file), options: ['--import', 'tsx'] };
}

/** To load the modules of all quick tests from source takes a third of their time, and each slow one is a process that would take a second. */
async function compiled() {
  const moduleOf = await compileModules(
    process.cwd(),
    [...quick, ...slow, IN_ORDER, GROUP_PROGRAM, PRELOADED],
    COMPILED.tests,
  );
  return { moduleOf, options: ['--enable-source-maps'] };
}

/** The variables of the tests. They find compiled programs by one of them (evaluation/testing/cli/command.ts). */
async function environment(): Promise<NodeJS.ProcessEnv> {
  if (slow.length === 0) return process.env;
  await compileModules(process.cwd(), PROGRAMS, COMPILED.programs, WITH_PACKAGES);
  return { ...process.env, PETSTORE_TEST_PROGRAMS: resolve(COMPILED.programs) };
}

function stop(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
