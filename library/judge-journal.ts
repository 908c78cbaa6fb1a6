import { loadSpecification } from '../spec/specification.ts';
import type { JudgeOptions, RunRecord } from '../suites/index.ts';
import { judge, readJournal } from '../suites/index.ts';

/**
 * Judges the journal of a run, without a network or a key.
 * @param path of `journal.ndjson`.
 * @throws {JournalError} when it cannot be read, or is not a journal.
 */
export async function judgeJournal(path: string, options: Partial<JudgeOptions> = {}): Promise<RunRecord> {
  return judge(readJournal(path), await loadSpecification(), { strict: options.strict === true });
}
