import { test as setup } from '@playwright/test';
import { PlanFileError } from '../../spec/plans.ts';
import { UserError } from '../../words/user-error.ts';
import { TargetLostError } from '../pacing/transport.ts';
import { JournalError } from '../wire/journal-file.ts';
import type { Step } from './examination.ts';
import { announcement, planFor, record } from './examination.ts';
import { withoutStack } from './one-sentence.ts';
import { selected } from './selection.ts';
import { journalOf, readSettings } from './settings.ts';
import { judged } from './verdicts.ts';

setup('examine the target', async () => {
  // Its length follows from the plan, which bounds every wait.
  setup.setTimeout(0);
  try {
    await recordOrReplay();
    await tellRemarks();
  } catch (error) {
    throw forUsers.some((kind) => error instanceof kind) && error instanceof Error
      ? withoutStack(error.message)
      : error;
  }
});

async function recordOrReplay(): Promise<void> {
  const journal = journalOf(process.env);
  if (journal.recorded) return say(`Judging the recorded run ${journal.path}; nothing is sent.`);
  const settings = readSettings(process.env);
  const plan = planFor(settings, selected(process.env), step);
  say(announcement(settings, plan));
  await record(settings, plan, journal.path);
  say(`Journal: ${journal.path}`);
}

/**
 * What explains most of the verdicts, and why the run is weaker than it could be: no test of a requirement would show it.
 * @throws {UserError} when the recorded target is not the service: then there is nothing to judge.
 */
async function tellRemarks(): Promise<void> {
  const { headline, remarks } = await judged();
  const first = headline === undefined ? [] : [`${headline.text} ${headline.fix}`];
  if (headline?.kind === 'wrong-target') throw new UserError(first.join());
  for (const remark of [...first, ...remarks]) {
    say(remark);
    setup.info().annotations.push({ type: 'remark', description: remark });
  }
}

const step: Step = (name, run) => setup.step(name, run);

/** Errors whose message is a sentence for the user. */
const forUsers = [UserError, PlanFileError, JournalError, TargetLostError];

const say = (line: string): void => void process.stdout.write(`${line}\n`);
