import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import type { AttestedRun, RunKind } from '../../certificate/attested-run.ts';
import { RUN_KINDS } from '../../certificate/attested-run.ts';
import type { Statement } from '../../certificate/statement.ts';
import { annotationOf } from '../../certificate/statement.ts';

/**
 * The run in a folder.
 * @param statement what was signed about it, which says what it was where its files are missing.
 * @throws {UserError} when the folder holds no run, or two.
 */
export async function runIn(folder: string, statement?: Statement): Promise<AttestedRun> {
  const kind = await runKindIn(folder, statement);
  if (kind === 'load') {
    const { loadRun } = await import('./load-run.ts');
    return loadRun(folder);
  }
  const { certificationRun } = await import('./certification-run.ts');
  return certificationRun(folder, kind);
}

/**
 * Which command made the run in a folder; `certify` where nothing shows it.
 * @param statement as for `runIn`.
 * @throws {UserError} when the folder holds two runs.
 */
export async function runKindIn(folder: string, statement?: Statement): Promise<RunKind> {
  const stated = statedKind(statement);
  const has = (name: string): boolean => existsSync(join(folder, name));
  const [certified, loaded] = [has('journal.ndjson'), has('load-run.json')];
  if (certified && loaded && stated === undefined) {
    throw new UserError(
      `${folder} holds a certification run and a load run: keep each run in a folder of its own.`,
    );
  }
  if (loaded && (!certified || stated === 'load')) return 'load';
  if (!certified) return stated ?? 'certify';
  const { isClientJournal } = await import('../../../suites/client/run/journal-reader.ts');
  return isClientJournal(join(folder, 'journal.ndjson')) ? 'certify-client' : 'certify';
}

function statedKind(statement: Statement | undefined): RunKind | undefined {
  const stated = statement === undefined ? undefined : annotationOf(statement, 'suite', 'command');
  return RUN_KINDS.find((kind) => kind === stated);
}
