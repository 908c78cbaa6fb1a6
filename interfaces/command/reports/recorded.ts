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

export interface Recorded {
  readonly kind: RunKind;
  readonly folder: string;
  /** A load run has none. */
  readonly journal: string;
}

/**
 * What was recorded at these paths: a journal, or the folder of any run, or the parts of a load run.
 * @throws {UserError} when a folder holds two runs.
 */
export async function recordedAt(paths: readonly string[]): Promise<Recorded> {
  const [path = '.', ...others] = paths;
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const [folder, journal] = isFolder ? [path, join(path, JOURNAL)] : [dirname(path), path];
  if (others.length > 0) return { kind: 'load', folder, journal };
  return { kind: await (isFolder ? runKindIn(path) : journalKind(path)), folder, journal };
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
export function printArchive({ kind, journal }: Recorded, terminal: Terminal): ExitCode {
  if (kind !== 'certify') {
    throw new UserError(`${FLAGS.format} har takes a run of certify, not one of ${kind}.`);
  }
  const { lines } = readJournal(journal);
  const [run] = lines;
  if (run?.kind !== 'run') throw new JournalError(`${journal} does not begin with the line of its run.`);
  const exchanges = lines.filter((line) => line.kind === 'exchange');
  terminal.out.write(renderHar(run, exchanges));
  return EXIT.conforms;
}
