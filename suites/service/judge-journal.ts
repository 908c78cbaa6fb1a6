import type { Baseline } from '../../kernel/findings/gate.ts';
import { withBaseline } from '../../kernel/findings/gate.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { judge } from './judge/judge.ts';
import { readJournal } from './wire/journal.ts';

export interface JudgingOptions {
  /** Count every warning as a violation; no by default. */
  readonly strict?: boolean;
  /** The known violations that the record is compared with; none by default. */
  readonly baseline?: Baseline | undefined;
}

/** Without a network or a key. @param path of `journal.ndjson`. @throws {JournalError} when it cannot be read, or is not a journal. */
export async function judgeJournal(path: string, options: JudgingOptions = {}): Promise<RunRecord> {
  const { strict = false, baseline } = options;
  const record = judge(readJournal(path), await loadSpecification(), { strict });
  return baseline === undefined ? record : withBaseline(record, baseline);
}
