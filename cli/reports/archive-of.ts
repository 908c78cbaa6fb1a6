import { renderHar } from '../../reports/har.ts';
import { JournalError, readJournal } from '../../suites/index.ts';

/** The HTTP archive of a journal, and how many exchanges it has. @throws {JournalError} when the file is no journal. */
export function archiveOf(journal: string): { readonly text: string; readonly entries: number } {
  const { lines } = readJournal(journal);
  const [run] = lines;
  if (run?.kind !== 'run') throw new JournalError(`${journal} does not begin with the line of its run.`);
  const exchanges = lines.filter((line) => line.kind === 'exchange');
  return { text: renderHar(run, exchanges), entries: exchanges.length };
}
