import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../words/user-error.ts';

/** The reports could not be written. The message is one sentence for a person. */
export class ReportError extends UserError {
  override readonly name = 'ReportError';
}

/**
 * Writes texts into a folder under these names. The folder is made where it is missing; each file appears whole or
 * not at all.
 * @returns the paths that were written.
 * @throws {ReportError} when the folder cannot be written to.
 */
export async function writeTexts(
  texts: Readonly<Record<string, string>>,
  folder: string,
): Promise<readonly string[]> {
  const paths: string[] = [];
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(texts)) paths.push(await writeWhole(folder, name, text));
  } catch (error) {
    throw new ReportError(`The reports could not be written to ${folder}: ${causeOf(error)}.`, {
      cause: error,
    });
  }
  return paths;
}

/** A reader of the folder, and a crash, meet the old file or the new one, never a part. */
async function writeWhole(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  const draft = join(folder, `.${name}.${randomUUID()}`);
  try {
    await writeFile(draft, text, { flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return path;
}

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there; choose another folder or change its permissions',
  EPERM: 'this user may not write there; choose another folder or change its permissions',
  EROFS: 'the file system is read-only; choose another folder',
  ENOSPC: 'the disk is full; free some space or choose another folder',
  EDQUOT: 'this user may not store more there; free some space or choose another folder',
  EFBIG: 'files may not become that large there (ulimit -f); choose another folder',
  EEXIST: 'a file has that name; choose another folder or move the file',
  ENOTDIR: 'a part of the path is a file; choose another folder',
  EISDIR: 'a folder has the name of a report; choose another folder or move it',
};

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return CAUSES[code] ?? error.message;
}
