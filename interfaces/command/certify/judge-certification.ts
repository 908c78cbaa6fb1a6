import { UserError } from '../../../kernel/basics/errors.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import type { LostRunError } from '../../../suites/service/run/record-run.ts';
import type { Judged, Results } from '../../run/judging.ts';

export interface RecordedCertification extends Pick<Results, 'folder' | 'strict' | 'baseline'> {
  readonly journal: string;
  /** What is known of the run besides its journal. */
  readonly completed?: (record: RunRecord) => RunRecord;
  /** The target stopped responding. */
  readonly lost?: LostRunError | undefined;
}

/** @throws {JournalError} when the journal cannot be read, or is none. */
export async function judgeCertification(recorded: RecordedCertification): Promise<Judged> {
  const { judgeJournal } = await import('../../../suites/service/judge-journal.ts');
  const { journal, folder, completed, lost } = recorded;
  const judged = await judgeJournal(journal, recorded);
  const record = completed?.(judged) ?? judged;
  if (lost === undefined) return { record, folder, journal };
  const error = new UserError(`${lost.message} The reports in ${folder} cover the exchanges before that.`);
  return { record, folder, journal, failure: { error, unseen: true } };
}
