import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { readRegularFile, readUserFile } from '../../../kernel/basics/user-files.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import type { AttestedRun, RunKind } from '../../certificate/attested-run.ts';
import { RUN_KINDS } from '../../certificate/attested-run.ts';
import type { Envelope } from '../../certificate/envelope.ts';
import { publicKey, readEnvelope, statementIn } from '../../certificate/envelope.ts';
import type { Statement } from '../../certificate/statement.ts';
import { annotationOf } from '../../certificate/statement.ts';
import type { Comparison, Presented } from '../../certificate/verify.ts';
import { ATTESTATION_FILE } from './files.ts';

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

/**
 * What a folder holds, ready to be verified.
 * @param keyFiles PEM files of public keys.
 * @throws {UserError} when there is no attestation, or a key cannot be used.
 */
export async function presented(folder: string, keyFiles: readonly string[]): Promise<Presented> {
  const envelope = envelopeIn(folder);
  return {
    ...(await comparisonIn(folder, statementIn(envelope))),
    envelope,
    keys: keyFiles.map((name) => ({ name, key: publicKey(readUserFile(name, 'The public key'), name) })),
  };
}

/** What a statement about the run in a folder is compared with. @throws {UserError} when the folder holds no run. */
export const comparisonIn = async (folder: string, statement?: Statement): Promise<Comparison> => ({
  run: await runIn(folder, statement),
  suiteVersion: SUITE.version,
  specification: await loadSpecification(),
  now: new Date(),
});

/** The envelope in a folder. @throws {UserError} when there is none. */
export function envelopeIn(folder: string): Envelope {
  const path = join(folder, ATTESTATION_FILE);
  const envelope = readEnvelope(readRegularFile(path, 'The attestation'));
  if (envelope !== undefined) return envelope;
  throw new UserError(`${path} is not an attestation: it holds no envelope of an in-toto statement.`);
}
