import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { JournalError } from '../../../kernel/recording/line-file.ts';
import { renderHar } from '../../../reports/har.ts';
import { JOURNAL } from '../../../reports/run-folder.ts';
import { readJournal } from '../../../suites/service/wire/journal.ts';
import type { RunKind } from '../../certificate/attested-run.ts';
import { FLAGS } from '../../options/command-line.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

export type Recorded =
  | { readonly kind: 'load'; readonly folder: string }
  | { readonly kind: 'certify' | 'certify-client'; readonly folder: string; readonly journal: string };

/**
 * What was recorded at these paths: a journal, or the folder of any run, or the parts of a load run.
 * @throws {UserError} when a folder holds two runs.
 */
export async function recordedAt(paths: readonly string[]): Promise<Recorded> {
  const [path = '.', ...others] = paths;
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(path);
  if (others.length > 0) return { kind: 'load', folder };
  if (!isFolder) return { kind: await journalKind(path), folder, journal: path };
  const kind = await runKindIn(path);
  return kind === 'load' ? { kind, folder } : { kind, folder, journal: join(path, JOURNAL) };
}

/**
 * Which command made the run in a folder; `certify` where nothing shows it.
 * @param stated what was signed about it, which says what it was where its files are missing.
 * @throws {UserError} when the folder holds two runs.
 */
export async function runKindIn(folder: string, stated?: RunKind): Promise<RunKind> {
  const has = (name: string): boolean => existsSync(join(folder, name));
  const [certified, loaded] = [has(JOURNAL), has('load-run.json')];
  if (certified && loaded && stated === undefined) {
    throw new UserError(
      `${folder} holds a certification run and a load run: keep each run in a folder of its own.`,
    );
  }
  if (loaded && (!certified || stated === 'load')) return 'load';
  return certified ? journalKind(join(folder, JOURNAL)) : (stated ?? 'certify');
}

async function journalKind(journal: string): Promise<'certify' | 'certify-client'> {
  const { isClientJournal } = await import('../../../suites/client/run/journal-reader.ts');
  return isClientJournal(journal) ? 'certify-client' : 'certify';
}

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
