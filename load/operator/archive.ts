import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastWords, thisHost } from '../k6/host.ts';
import { QUIET_K6 } from '../k6/quiet.ts';
import type { KeyAlias } from '../model/profile.ts';
import { ManifestError } from './manifests.ts';

const SCRIPT = fileURLToPath(new URL('../script/main.ts', import.meta.url));

/** Stands where the key will stand: the script wants one, and the archive must not hold it. */
const PLACEHOLDER = 'comes-from-the-secret';

/**
 * Packs the script for one lane. `k6 archive` works out the options and keeps
 * them, hence one archive for each lane; what it is told is left out of it.
 * @param environment what the runner will be told besides.
 * @throws {ManifestError} when k6 cannot pack it
 */
export async function archiveOf(
  k6: string,
  key: KeyAlias,
  environment: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-archive-'));
  try {
    const told = { ...environment, SHARD: key, PETSTORE_API_KEY: PLACEHOLDER };
    const settings = Object.entries(told).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const path = join(folder, 'archive.tar');
    const done = await thisHost().run(
      k6,
      ['archive', '--exclude-env-vars', '-O', path, ...settings, SCRIPT],
      {
        timeoutSeconds: 60,
        env: QUIET_K6,
      },
    );
    if (done.kind !== 'ended' || done.code !== 0) {
      throw new ManifestError(`k6 could not pack the script for ${key}: ${lastWords(done)}.`);
    }
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
