import { test as setup } from '@playwright/test';
import { PlanFileError } from '../../spec/plans.ts';
import { UserError } from '../given/user-error.ts';
import { TargetLostError } from '../pace/pacer.ts';
import { JournalError, readJournal } from '../wire/journal-file.ts';
import type { Step } from './examination.ts';
import { announcement, planFor, record } from './examination.ts';
import { withoutStack } from './one-sentence.ts';
import { selected } from './selection.ts';
import { journalOf, readSettings } from './settings.ts';

const step: Step = (name, run) => setup.step(name, run);

// An unselected examination would be a run of no test at all, so it has no tag and no id to be filtered by.
setup('examine the target', async () => {
  // Its length follows from the plan, which bounds every wait.
  setup.setTimeout(0);
  const journal = journalOf(process.env);
  try {
    if (journal.recorded) {
      readJournal(journal.path);
      say(`Judging the recorded run ${journal.path}; nothing is sent.`);
      return;
    }
    const settings = readSettings(process.env);
    const ids = selected(process.env);
    const plan = planFor(settings, ids, step);
    say(announcement(settings, plan));
    await record(settings, plan, journal.path);
    say(`Journal: ${journal.path}`);
  } catch (error) {
    throw forUsers.some((kind) => error instanceof kind) && error instanceof Error
      ? withoutStack(error.message)
      : error;
  }
});

/** Errors whose message is a sentence for the user. */
const forUsers = [UserError, PlanFileError, JournalError, TargetLostError];

const say = (line: string): void => void process.stdout.write(`${line}\n`);
