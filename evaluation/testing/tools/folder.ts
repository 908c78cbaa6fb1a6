import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that is removed when a test ends, or with `{ after }` of `node:test`, when those around it have. */
export function temporaryFolder(test: { readonly after: (done: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The paths of all files of a folder and of those in it. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));

/** Lends a folder that is removed after its use. */
export async function inTemporaryFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
