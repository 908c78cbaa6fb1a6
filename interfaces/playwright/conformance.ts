import { test as base } from '@playwright/test';
import { InterruptedError } from '../../kernel/basics/interrupted-error.ts';
import { UserError } from '../../kernel/basics/user-error.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import type { PetstoreOptions } from '../options/table.ts';
import { errorWithoutStack } from './error-without-stack.ts';
import { presentRun } from './present-run.ts';
import { reportEntry } from './report-entry.ts';
import { TAG, testedEntries, titleOf } from './selection.ts';
import type { SharedRun } from './shared-run.ts';
import { sharedRun } from './shared-run.ts';
import { judgedRun } from './verdicts.ts';

/** What this package adds to `use` in a Playwright configuration: `defineConfig<PetstoreUse>({ … })`. */
export interface PetstoreUse {
  petstore: PetstoreOptions;
}

/** Playwright's `test` with the option `petstore`, which a project sets with `use`. */
const test = base.extend<object, PetstoreUse>({ petstore: [{}, { option: true, scope: 'worker' }] });

/**
 * Declares one test for each requirement and each observation in the file that calls it. They report one recorded run,
 * which the first of them makes.
 * @param defaults options that `use: { petstore: … }` of a project replaces one by one.
 */
export function conformance(defaults: PetstoreOptions = {}): void {
  test.describe('Pet Store Service', { tag: TAG }, () => {
    // One run, in order: a retry would judge the same journal again, and a second run would use the quota of the key.
    test.describe.configure({ mode: 'default', retries: 0 });
    const recordOf = declareRun(defaults);
    test('the run', { tag: '@run' }, () => {
      // What there is to see of the run was attached when it was recorded: to this test, or to the first that is selected.
    });
    for (const chapter of new Set(testedEntries.map((entry) => entry.chapter))) {
      test.describe(chapter, { tag: `@${slug(chapter)}` }, () => declareChapter(chapter, recordOf));
    }
  });
}

/** Records or reads the run before the first test of a worker. @returns the record of that run. */
function declareRun(defaults: PetstoreOptions): () => RunRecord {
  const interruption = new AbortController();
  let running: Promise<SharedRun> | undefined;
  let record: RunRecord | undefined;
  test.beforeAll(async ({ petstore }) => {
    // The plan of the run bounds every wait, so no timeout of Playwright is needed.
    test.setTimeout(0);
    try {
      running = sharedRun({ ...defaults, ...petstore }, surroundings(interruption.signal));
      const run = await running;
      record = await judgedRun(run);
      await presentRun(record, run);
    } catch (error) {
      throw forUser(error);
    }
  });
  // Ctrl-C ends the hook at once, while its function goes on; the journal needs its last line.
  test.afterAll(async () => {
    interruption.abort();
    await running?.catch((error: unknown) => {
      if (error instanceof InterruptedError) print(error.message);
    });
  });
  return () => {
    if (record === undefined) throw errorWithoutStack('There is no record of the run.');
    return record;
  };
}

const surroundings = (signal: AbortSignal) => ({
  outputFolder: test.info().project.outputDir,
  step: (name: string, run: () => Promise<void>) => test.step(name, run),
  print,
  signal,
});

function declareChapter(chapter: string, recordOf: () => RunRecord): void {
  for (const entry of testedEntries.filter((one) => one.chapter === chapter)) {
    const { id, level, from } = entry;
    const description = `interface-specification.md#${from.section}: “${from.quote}”`;
    const details = { tag: `@${level}`, annotation: { type: 'specification', description } };
    test(titleOf(entry), details, () => reportEntry(id, recordOf(), test.info()));
  }
}

/** An error whose message is a sentence for the user is reported without a stack trace, and as no verdict. */
function forUser(error: unknown): unknown {
  if (!(error instanceof UserError || error instanceof InterruptedError)) return error;
  test.info().annotations.push({ type: 'no run', description: error.message });
  return errorWithoutStack(error.message);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** `Retry-After and ban` as a tag: `retry-after-and-ban`. */
const slug = (chapter: string): string =>
  chapter
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
