import { loadSpecification } from '../../spec/specification.ts';
import { judge } from '../judge/judge.ts';
import type { Cause, Finding, RunRecord } from '../model/record.ts';
import { readJournal } from '../wire/journal-reader.ts';
import { withoutStack } from './one-sentence.ts';
import { isStrict, journalOf } from './settings.ts';

let record: Promise<RunRecord> | undefined;

/**
 * The whole journal, judged once in each worker process. Playwright replaces its worker after every failing
 * test; the journal on disk is all that the next one needs.
 * @throws {JournalError} when there is no journal to judge.
 */
export function judged(): Promise<RunRecord> {
  record ??= judgeJournal();
  return record;
}

async function judgeJournal(): Promise<RunRecord> {
  const contents = readJournal(journalOf(process.env).path);
  return judge(contents, await loadSpecification(), { strict: isStrict(process.env) });
}

/** What becomes of the test of a requirement: a MUST that proves nothing is red, never a quiet skip. */
export function fateOf({ level, verdict }: Finding): 'pass' | 'fail' | 'skip' {
  if (verdict === 'not-tested') return 'skip';
  const open = verdict === 'inconclusive' && level === 'MUST';
  return verdict === 'fail' || open ? 'fail' : 'pass';
}

/** The error of a failing test: why, the requirement, where it stands, its cause, how to fix it, and how to see it by hand. */
export function failure(
  { id, level, sentence, from, verdict, because, fix, repeat }: Finding,
  causes: readonly Cause[],
): Error {
  const cause = causes.find(({ requirements }) => requirements.includes(id));
  const how = cause?.fix ?? fix;
  const lines = [
    verdict === 'inconclusive' ? `inconclusive: ${because}` : because,
    '',
    `${id} (${level}): ${sentence}`,
    `Specification: ${from}`,
    ...(cause === undefined ? [] : [`Cause: ${cause.title} (${cause.requirements.join(', ')})`]),
    ...(how === undefined ? [] : [`Fix: ${how}`]),
    ...(repeat === undefined ? [] : [`Repeat: ${repeat}`]),
  ];
  return withoutStack(lines.join('\n'));
}
