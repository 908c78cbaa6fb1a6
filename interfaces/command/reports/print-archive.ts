import { UserError } from '../../../kernel/basics/errors.ts';
import { JournalError } from '../../../kernel/recording/line-file.ts';
import { renderHar } from '../../../reports/har.ts';
import { readJournal } from '../../../suites/service/wire/journal.ts';
import { FLAGS } from '../../options/command-line.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import type { Recorded } from './write-matrix.ts';

/** Prints the HTTP archive of a certification run. @throws {UserError} when the run is of another kind, or its journal is none. */
export function printArchive(recorded: Recorded, terminal: Terminal): ExitCode {
  if (recorded.kind !== 'certify') {
    throw new UserError(`${FLAGS.format} har takes a run of certify, not one of ${recorded.kind}.`);
  }
  const { journal } = recorded;
  const { lines } = readJournal(journal);
  const [run] = lines;
  if (run?.kind !== 'run') throw new JournalError(`${journal} does not begin with the line of its run.`);
  terminal.out.write(
    renderHar(
      run,
      lines.filter((line) => line.kind === 'exchange'),
    ),
  );
  return EXIT.conforms;
}
