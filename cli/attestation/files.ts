import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttestedReport } from '../../attestation/statement.ts';
import { ATTESTED_FILES } from '../../attestation/statement.ts';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';

/** The name of an attestation in the folder of a run. */
export const ATTESTATION_FILE = 'attestation.json';

/** The bytes of the attested files that are there, by name. */
export function attestedBytes(folder: string): Readonly<Record<string, Uint8Array>> {
  return Object.fromEntries(
    ATTESTED_FILES.flatMap((name) => {
      const bytes = bytesIfAny(join(folder, name));
      return bytes === undefined ? [] : [[name, bytes] as const];
    }),
  );
}

function bytesIfAny(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * The text of a file that a user named.
 * @param what what it is, at the beginning of a sentence.
 * @throws {UserError} when it cannot be read.
 */
export function textOf(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`${what} ${path} cannot be read: ${fileTrouble(error)}.`);
  }
}

/**
 * The report in these bytes; undefined where it is none of this program. Loose on purpose: what an edited report
 * contradicts is to be named, and a strict reader would only reject it.
 */
export function reportIn(bytes: Uint8Array | undefined): AttestedReport | undefined {
  try {
    const value = JSON.parse(Buffer.from(bytes ?? []).toString('utf8'));
    const complete =
      typeof value.suite.version === 'string' &&
      typeof value.spec.digest === 'string' &&
      typeof value.outcome === 'string' &&
      typeof value.strict === 'boolean' &&
      Array.isArray(value.requirements);
    return complete ? value : undefined;
  } catch {
    return undefined;
  }
}
