import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../kernel/basics/errors.ts';
import { EARLIER } from '../kernel/basics/json.ts';
import { fileTrouble } from '../kernel/basics/user-files.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import { visibleJson } from './written.ts';

/** The reports could not be written. The message is one sentence for a person. */
export class ReportError extends UserError {
  override readonly name = 'ReportError';
}

/**
 * Writes texts into a folder under these names; each file appears whole or not at all.
 * @returns the paths that were written.
 * @throws {ReportError} when the folder or a file in it cannot be written to.
 */
export async function writeTexts(
  texts: Readonly<Record<string, string>>,
  folder: string,
): Promise<readonly string[]> {
  const paths: string[] = [];
  let path = folder;
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(texts)) {
      path = join(folder, name);
      await writeWhole(path, text);
      paths.push(path);
    }
  } catch (error) {
    throw new ReportError(
      `The reports could not be written to ${path}: ${fileTrouble(error)}; resolve this, or choose another folder.`,
      { cause: error },
    );
  }
  return paths;
}

/** A reader of the folder, and a crash, meet the old file or the new one, never a part. */
async function writeWhole(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await writeFile(draft, text, { flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Moves the files of an earlier run into a folder of their own, so that they are neither taken for files of this run nor lost.
 * @param now when this run began, for the name of that folder.
 * @returns a sentence that names what was moved, or undefined where there was nothing.
 * @throws {ReportError} when a file cannot be moved.
 */
export function keepEarlier(folder: string, names: readonly string[], now: Date): string | undefined {
  const present = names.filter((name) => existsSync(join(folder, name)));
  if (present.length === 0) return undefined;
  const kept = unusedName(join(folder, `${EARLIER}${timeStamp(now)}`));
  for (const name of present) {
    const path = join(folder, name);
    try {
      mkdirSync(kept, { recursive: true });
      renameSync(path, join(kept, name));
    } catch (error) {
      throw new ReportError(
        `The file ${path} of an earlier run cannot be moved to ${kept}: ${fileTrouble(error)}; move it, or choose another folder.`,
      );
    }
  }
  return `The files of an earlier run were moved to ${join(kept, '/')} (${present.join(', ')}).`;
}

/** The path, or the path with the first number at its end that is not in use. */
function unusedName(path: string): string {
  let name = path;
  for (let n = 2; existsSync(name); n += 1) name = `${path}-${n}`;
  return name;
}

/** `2026-11-21T05-52-28Z`: ISO 8601 to the second, without colons, which some file systems do not allow. */
export const timeStamp = (now: Date): string => now.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');

/** `report.json`: the whole record, for programs. Its contract is `schema/report.schema.json`. */
export const renderJson = (record: RunRecord): string => jsonText(record);

/** A record as the text of a JSON file, in which nothing unseen can mislead a reader. */
export const jsonText = (record: object): string => `${visibleJson(JSON.stringify(record, null, 2))}\n`;
