import { test } from '@playwright/test';
import { UserError } from '../../kernel/basics/user-error.ts';
import { isNoRun } from '../../kernel/findings/gate.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { outcomeSentence } from '../../reports/outcome.ts';
import { renderPicture } from '../../reports/picture/plots.ts';
import { inOwnNames } from './settings.ts';
import type { SharedRun } from './shared-run.ts';

/**
 * Shows what no test of a requirement shows, with the test that is running: the picture of the run, its headline, and
 * why its evidence is weaker than possible. Workers after the first show nothing again.
 * @throws {UserError} when no run was possible: the target is not the service, or rejects the key.
 */
export async function presentRun(record: RunRecord, { first }: SharedRun): Promise<void> {
  const { headline, remarks } = record;
  const sentences = [
    ...(headline === undefined ? [] : [`${headline.text} ${headline.fix}`]),
    ...(record.selection === undefined ? [] : [outcomeSentence(record)]),
    ...remarks,
  ].map(inOwnNames);
  if (isNoRun(record)) throw new UserError(sentences[0] ?? 'No run was possible.');
  if (!first) return;
  for (const description of sentences) {
    process.stdout.write(`${description}\n`);
    test.info().annotations.push({ type: 'remark', description });
  }
  if (test.info().project.retries > 0) {
    test.info().annotations.push({ type: 'retries', description: WITHOUT_RETRIES });
  }
  const picture = renderPicture(record);
  if (picture !== undefined) {
    await test.info().attach('picture of the run', { body: picture, contentType: 'image/svg+xml' });
  }
}

const WITHOUT_RETRIES =
  'The retries of the configuration do not apply here: all tests report one recorded run, so that a retry would repeat its verdict, and a second run would need the quota of the key again.';
