import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileTrouble } from '../kernel/basics/file-trouble.ts';
import { UserError } from '../kernel/basics/user-error.ts';

/** The reports could not be written. The message is one sentence for a person. */
export class ReportError extends UserError {
  override readonly name = 'ReportError';
}

/**
 * Writes texts into a folder under these names. The folder is made where it is missing; each file appears whole or
 * not at all.
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
