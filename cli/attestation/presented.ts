import { join } from 'node:path';
import { publicKey } from '../../attestation/keys.ts';
import { readEnvelope, statementIn } from '../../attestation/read-envelope.ts';
import type { Presented } from '../../attestation/verify.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { SUITE } from '../../suites/model/suite.ts';
import { UserError } from '../../words/user-error.ts';
import { readUserFile } from '../../words/user-file.ts';
import { ATTESTATION_FILE } from './files.ts';
import { runIn } from './run-in.ts';

/**
 * What a folder holds, ready to be verified.
 * @param keyFiles PEM files of public keys.
 * @throws {UserError} when there is no attestation, or a key cannot be used.
 */
export async function presented(folder: string, keyFiles: readonly string[]): Promise<Presented> {
  const path = join(folder, ATTESTATION_FILE);
  const envelope = readEnvelope(readUserFile(path, 'The attestation'));
  if (envelope === undefined) {
    throw new UserError(`${path} is not an attestation: it holds no envelope of an in-toto statement.`);
  }
  const { digest } = await loadSpecification();
  return {
    envelope,
    run: await runIn(folder, statementIn(envelope)),
    keys: keyFiles.map((name) => ({ name, key: publicKey(readUserFile(name, 'The public key'), name) })),
    suiteVersion: SUITE.version,
    specificationDigest: digest,
    now: new Date(),
  };
}
