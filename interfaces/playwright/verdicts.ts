import { partsOf } from '../../kernel/findings/finding-text.ts';
import { leavesOutcomeOpen, ownFixOf, repeatOf } from '../../kernel/findings/findings.ts';
import type { Cause, Finding, RunRecord } from '../../kernel/findings/record.ts';
import { readBaseline } from '../../reports/baseline/file.ts';
import { judgeJournal } from '../../suites/service/judge-journal.ts';
import { errorWithoutStack } from './error-without-stack.ts';
import type { JudgingSettings } from './settings.ts';

/**
 * The record of a journal, compared with the baseline where one is named.
 * @throws {JournalError} when there is no journal to judge.
 * @throws {UserError} when the baseline cannot be read.
 */
export async function judgedRun({ journal, strict, baseline }: JudgingSettings): Promise<RunRecord> {
  return judgeJournal(journal, {
    strict,
    baseline: baseline === undefined ? undefined : readBaseline(baseline),
  });
}

/** The result of the test of a requirement: a MUST that is inconclusive fails, and is never skipped. */
export function testResultOf(finding: Finding): 'pass' | 'fail' | 'skip' {
  if (finding.verdict === 'not-tested') return 'skip';
  return finding.verdict === 'fail' || leavesOutcomeOpen(finding) ? 'fail' : 'pass';
}

/** The error of a failing test: the parts of the finding, the requirement, its cause, how to fix it, and how to repeat it. */
export function failureOf(finding: Finding, causes: readonly Cause[]): Error {
  const { id, level, sentence, from, verdict } = finding;
  const cause = causes.find(({ requirements }) => requirements.includes(id));
  const fix = cause?.fix ?? ownFixOf(finding);
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
