import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastLineOf, thisHost } from '../k6/host.ts';
import { QUIET_K6 } from '../k6/quiet.ts';
import type { KeyAlias } from '../model/profile.ts';
import { SCRIPT } from '../script/location.ts';
import { ManifestError } from './manifests.ts';

/** The script needs a key to be archived, and the archive must not contain a real one. */
const KEY_PLACEHOLDER = 'comes-from-the-secret';

/**
 * Archives the script for one key. `k6 archive` evaluates the options and stores
 * them, hence one archive for each key; environment variables are not stored.
 * @param environment the further variables of the runner.
 * @throws {ManifestError} when k6 cannot archive it
 */
export async function archiveScript(
  k6: string,
  key: KeyAlias,
  environment: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-archive-'));
  try {
    const variables = { ...environment, SHARD: key, PETSTORE_API_KEY: KEY_PLACEHOLDER };
    const settings = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
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
      throw new ManifestError(`k6 could not archive the script for ${key}: ${lastLineOf(done)}.`);
    }
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
