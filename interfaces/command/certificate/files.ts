import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { jsonFields, parsedJson, unambiguousJson } from '../../../kernel/basics/json.ts';
import { fileDigest, fileTrouble, readRegularFile } from '../../../kernel/basics/user-files.ts';
import { linesOf } from '../../../kernel/recording/line-file.ts';
import { JOURNAL } from '../../../reports/run-folder.ts';
import type { Statement } from '../../certificate/statement.ts';

export const ATTESTATION_FILE = 'attestation.json';

export const digestsIn = (folder: string, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const digest = fileDigest(join(folder, name));
      return digest === undefined ? [] : [[name, digest] as const];
    }),
  );

/** The fields of a JSON file; none where it cannot be read or holds something else. */
export const fieldsIn = (path: string): Readonly<Record<string, unknown>> =>
  fieldsOrNone(() => jsonFields(unambiguousJson(readRegularFile(path, 'The report'))));

/** The fields that are read; none where they cannot be. */
export function fieldsOrNone(
  read: () => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return {};
  }
}

/** A longer line is damaged, and reported as such. */
const LINE_BYTES = 64 * 1024 * 1024;

/**
 * A sentence where a line of a recording has a name twice: every reader might take another of its values. A line that is
 * not JSON is damaged, and reported as such elsewhere.
 * @param batches the lines, as they are read.
 */
export async function ambiguityIn(
  name: string,
  batches: AsyncIterable<Iterable<string>> | readonly Iterable<string>[],
): Promise<readonly string[]> {
  let read = 0;
  for await (const lines of batches)
    for (const line of lines) {
      read += 1;
      if (parsedJson(line) !== undefined && unambiguousJson(line) === undefined)
        return [`${name} has a name twice in an object of line ${read}, or nests deeper than any recording.`];
    }
  return [];
}

/** The lines of the journal in a folder. */
export function* journalLines(folder: string): Generator<string> {
  for (const bytes of linesOf(join(folder, JOURNAL), LINE_BYTES)) yield bytes?.toString() ?? '';
}

/** Sub-folders that belong to a run: reports on a watched service, samples of runners. */
const DEEPEST = 3;

/** The files in the folder of a run, as paths within it, that a statement does not cover. */
export function uncoveredFiles(folder: string, { subject }: Statement): readonly string[] {
  const covered = new Set([ATTESTATION_FILE, ...subject.map(({ name }) => name)]);
  return filesBelow(folder, '', DEEPEST).filter((name) => !covered.has(name));
}

const filesBelow = (folder: string, within: string, depth: number): readonly string[] =>
  readdirSync(join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const name = `${within}${entry.name}`;
    if (!entry.isDirectory()) return [name];
    return depth === 0 ? [`${name}/`] : filesBelow(folder, `${name}/`, depth - 1);
  });

/** Writes an attestation in one step: a full disk leaves the one that was there. @throws {UserError} when it cannot be written. */
export function writeAttestation(folder: string, text: string): string {
  const path = join(folder, ATTESTATION_FILE);
  const draft = `${path}.draft`;
  try {
    // Whoever made the folder may have put a link there, which leads elsewhere.
    rmSync(draft, { force: true, recursive: true });
    writeFileSync(draft, text, { flush: true, flag: 'wx' });
    renameSync(draft, path);
    return path;
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UserError(`The attestation could not be written to ${path}: ${fileTrouble(error)}.`);
  }
}
