import { test as setup } from '@playwright/test';
import { InterruptedError } from '../../words/interrupted-error.ts';
import { UserError } from '../../words/user-error.ts';
import { errorWithoutStack } from './error-without-stack.ts';
import type { ReportedStep } from './run.ts';
import { announcement, recordPlaywrightRun, settlePlaywrightRun } from './run.ts';
import { selectedRequirements } from './selection.ts';
import { journalOf, readPlaywrightSettings } from './settings.ts';
import { judgedRun } from './verdicts.ts';

const interruption = new AbortController();
let recording: Promise<void> = Promise.resolve();

setup('record the run', async () => {
  // The plan of the run bounds every wait, so no timeout of Playwright is needed.
  setup.setTimeout(0);
  try {
    await recordOrReplay();
    await reportRemarks();
  } catch (error) {
    throw forUser(error);
  }
});

// Ctrl-C ends the test at once, while its function goes on; the journal needs its last line.
setup.afterEach(async () => {
  interruption.abort();
  await recording.catch((error: unknown) => {
    if (error instanceof InterruptedError) print(error.message);
  });
});

async function recordOrReplay(): Promise<void> {
  const journal = journalOf(process.env);
  if (journal.recorded) return print(`Judging the recorded run ${journal.path}; nothing is sent.`);
  const settings = readPlaywrightSettings(process.env);
  const run = settlePlaywrightRun(settings, selectedRequirements(process.env), step);
  print(announcement(settings, run));
  recording = recordPlaywrightRun(settings, run, journal.path, interruption.signal, print);
  await recording;
  print(`Journal: ${journal.path}`);
}

/**
 * Reports the headline and why the evidence of the run is weaker than possible: no test of a requirement shows them.
 * @throws {UserError} when the recorded target is not the service: then there is nothing to judge.
 */
async function reportRemarks(): Promise<void> {
  const { headline, remarks } = await judgedRun();
  const first = headline === undefined ? [] : [`${headline.text} ${headline.fix}`];
  if (headline?.kind === 'wrong-target') throw new UserError(first.join());
  for (const remark of [...first, ...remarks]) {
    print(remark);
    setup.info().annotations.push({ type: 'remark', description: remark });
  }
}

const step: ReportedStep = (name, run) => setup.step(name, run);

/** An error whose message is a sentence for the user is reported without a stack trace. */
const forUser = (error: unknown): unknown =>
  error instanceof UserError || error instanceof InterruptedError ? errorWithoutStack(error.message) : error;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
