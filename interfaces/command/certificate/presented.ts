import { join } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { readRegularFile, readUserFile } from '../../../kernel/basics/user-files.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import type { AttestedRun } from '../../certificate/attested-run.ts';
import { RUN_KINDS } from '../../certificate/attested-run.ts';
import type { Envelope } from '../../certificate/envelope.ts';
import { publicKey, readEnvelope, statementIn } from '../../certificate/envelope.ts';
import type { Statement } from '../../certificate/statement.ts';
import { annotationOf } from '../../certificate/statement.ts';
import type { Comparison, Presented } from '../../certificate/verify.ts';
import { runKindIn } from '../reports/recorded.ts';
import { ATTESTATION_FILE } from './files.ts';

/**
 * The run in a folder.
 * @param statement what was signed about it, which says what it was where its files are missing.
 * @throws {UserError} when the folder holds no run, or two.
 */
export async function runIn(folder: string, statement?: Statement): Promise<AttestedRun> {
  const stated = statement && annotationOf(statement, 'suite', 'command');
  const kind = await runKindIn(
    folder,
    RUN_KINDS.find((one) => one === stated),
  );
  if (kind === 'load') {
    const { loadRun } = await import('./load-run.ts');
    return loadRun(folder);
  }
  const { certificationRun } = await import('./certification-run.ts');
  return certificationRun(folder, kind);
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
