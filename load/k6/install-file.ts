import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Makes a file in a folder next to its place and moves it there in one step, so that no other run sees a partial file.
 * @param make returns the path of the file that it made in this folder; where it fails, no file remains.
 */
export async function installFile(path: string, make: (folder: string) => Promise<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const folder = await mkdtemp(join(dirname(path), 'install-'));
  try {
    await rename(await make(folder), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
