import { loadSpecification } from '../../spec/specification.ts';
import { judge } from '../judge/judge.ts';
import type { Cause, Finding, RunRecord } from '../model/record.ts';
import { readJournal } from '../wire/journal-reader.ts';
import { errorWithoutStack } from './error-without-stack.ts';
import { isStrict, journalOf } from './settings.ts';

let judgedRecord: Promise<RunRecord> | undefined;

/**
 * The record of the journal, which each worker process judges once. Playwright replaces its worker after every failing
 * test, and the next one needs nothing but the journal on disk.
 * @throws {JournalError} when there is no journal to judge.
 */
export function judgedRun(): Promise<RunRecord> {
  judgedRecord ??= judgeJournal();
  return judgedRecord;
}

async function judgeJournal(): Promise<RunRecord> {
  const contents = readJournal(journalOf(process.env).path);
  return judge(contents, await loadSpecification(), { strict: isStrict(process.env) });
}

/** The result of a requirement's test: an inconclusive MUST fails, so that nobody overlooks it. */
export function testResultOf({ level, verdict }: Finding): 'pass' | 'fail' | 'skip' {
  if (verdict === 'not-tested') return 'skip';
  const undecidedMust = verdict === 'inconclusive' && level === 'MUST';
  return verdict === 'fail' || undecidedMust ? 'fail' : 'pass';
}

/** The error of a failing test: the reason, the requirement and its place in the specification, the cause, the fix, and a command that repeats the request. */
export function failureOf(
  { id, level, sentence, from, verdict, because, fix, repeat }: Finding,
  causes: readonly Cause[],
): Error {
  const cause = causes.find(({ requirements }) => requirements.includes(id));
  const advice = cause?.fix ?? fix;
  const lines = [
    verdict === 'inconclusive' ? `inconclusive: ${because}` : because,
    '',
    `${id} (${level}): ${sentence}`,
    `Specification: ${from}`,
    ...(cause === undefined ? [] : [`Cause: ${cause.title} (${cause.requirements.join(', ')})`]),
    ...(advice === undefined ? [] : [`Fix: ${advice}`]),
    ...(repeat === undefined ? [] : [`Repeat: ${repeat}`]),
  ];
  return errorWithoutStack(lines.join('\n'));
}
