import { test } from '@playwright/test';
import { UserError } from '../../kernel/basics/errors.ts';
import { leavesOutcomeOpen, repeatOf } from '../../kernel/findings/finding.ts';
import { partsOf } from '../../kernel/findings/finding-text.ts';
import { isNoRun } from '../../kernel/findings/gate.ts';
import type { Cause, Finding, RunRecord } from '../../kernel/findings/record.ts';
import { writeBaseline } from '../../reports/baseline.ts';
import { causeOf, fixOf, outcomeSentence } from '../../reports/outcome.ts';
import { renderPicture } from '../../reports/picture.ts';
import { reportsLine, writeRunFolder } from '../../reports/write.ts';
import { judgeJournal } from '../../suites/service/judge-journal.ts';
import { readJudging } from '../run/judging.ts';
import type { JudgingSettings } from './settings.ts';
import { inOwnNames } from './settings.ts';

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * An error for Playwright's reports: the message and nothing else. Playwright prints the text in `stack` and quotes
 * the source line of its first frame, but a finding about a target has no line in this source.
 */
export function errorWithoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}

/**
 * The record of a journal, compared with the baseline where one is named.
 * @throws {JournalError} when there is no journal to judge.
 * @throws {UserError} when the baseline cannot be read.
 */
export const judgedRun = async (settings: JudgingSettings): Promise<RunRecord> =>
  judgeJournal(settings.journal, readJudging(settings));

/**
 * Writes the reports of a run, and a copy of its journal where it lies elsewhere, into the folder of the run. Other
 * reports in it are moved and not overwritten. Where a file cannot be written, the verdicts of the tests count nevertheless.
 */
export async function writeRun(
  record: RunRecord,
  { folder, journal, baselineWrite }: JudgingSettings,
): Promise<void> {
  try {
    await writeRunFolder(
      record,
      { journal },
      { path: folder, input: 'PETSTORE_OUT or petstore.out', report: print },
    );
    if (baselineWrite !== undefined) print(writeBaseline(record, baselineWrite));
    print(`Report: ${reportsLine(folder)}`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    print(error.message);
  }
}

/** The result of the test of a requirement: a MUST that is inconclusive fails, and is never skipped. */
export function testResultOf(finding: Finding): 'pass' | 'fail' | 'skip' {
  if (finding.verdict === 'not-tested') return 'skip';
  return finding.verdict === 'fail' || leavesOutcomeOpen(finding) ? 'fail' : 'pass';
}

/** The error of a failing test: the parts of the finding, the requirement, its cause, how to fix it, and how to repeat it. */
export function failureOf(finding: Finding, causes: readonly Cause[]): Error {
  const { id, level, sentence, from, verdict } = finding;
  const cause = causeOf(finding, causes);
  const fix = fixOf(finding, causes);
  const repeat = repeatOf(finding);
  const lines = [
    ...(verdict === 'inconclusive' ? ['inconclusive'] : []),
    ...partsOf(finding).map(({ label, text }) => `${label}: ${text}`),
    '',
    `${id} (${level}): ${sentence}`,
    `Specification: ${from}`,
    ...(cause === undefined ? [] : [`Cause: ${cause.title} (${cause.requirements.join(', ')})`]),
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
    ...(repeat === undefined ? [] : [`Repeat: ${repeat}`]),
  ];
  return errorWithoutStack(lines.join('\n'));
}

/**
 * Shows what no test of a requirement shows, with the test that is running: the picture of the run, its headline, and
 * why its evidence is weaker than possible. Workers after the first show nothing again.
 * @throws {UserError} when no run was possible: the target is not the service, or rejects the key.
 */
export async function presentRun(record: RunRecord, isFirst: boolean): Promise<void> {
  const { headline, remarks } = record;
  const sentences = [
    ...(headline === undefined ? [] : [`${headline.text} ${headline.fix}`]),
    ...(record.selection === undefined ? [] : [outcomeSentence(record)]),
    ...remarks,
  ].map(inOwnNames);
  if (isNoRun(record)) throw new UserError(sentences[0] ?? 'No run was possible.');
  if (!isFirst) return;
  for (const description of sentences) {
    print(description);
    test.info().annotations.push({ type: 'remark', description });
  }
  if (test.info().project.retries > 0) {
    const description =
      'The retries of the configuration do not apply here: all tests report one recorded run, so that a retry would repeat its verdict, and a second run would need the quota of the key again.';
    test.info().annotations.push({ type: 'retries', description });
  }
  const picture = renderPicture(record);
  if (picture !== undefined) {
    await test.info().attach('picture of the run', { body: picture, contentType: 'image/svg+xml' });
  }
}
