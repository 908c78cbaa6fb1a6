import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileDigest } from '../../words/file-digest.ts';
import { jsonFields, parsedJson } from '../../words/json.ts';

/** The name of an attestation in the folder of a run. */
export const ATTESTATION_FILE = 'attestation.json';

/** The SHA-256 of each of these files that is there, by name. */
export const digestsIn = (folder: string, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const digest = fileDigest(join(folder, name));
      return digest === undefined ? [] : [[name, digest] as const];
    }),
  );

/** The fields of a JSON file; none where it cannot be read or holds something else. */
export function fieldsIn(path: string): Readonly<Record<string, unknown>> {
  try {
    return jsonFields(parsedJson(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
}
