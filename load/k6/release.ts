import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from './host.ts';
import { lastLineOf } from './host.ts';
import { installFile } from './install-file.ts';
import type { K6Pin } from './pin.ts';

const LIMITS = { connectSeconds: 20, totalSeconds: 300, bytes: 200 * 1024 * 1024 };

/**
 * Installs the pinned release of k6 at `path`: downloads it from its publisher, and
 * checks it against the pinned SHA-256 before anything else.
 * @throws {Error} with a clause for a person; no file remains then.
 */
export async function installRelease(host: Host, pin: K6Pin, path: string): Promise<void> {
  const archive = pin.archives[`${host.platform}-${host.arch}`];
  if (archive === undefined) throw new Error(`no release is pinned for ${host.platform} on ${host.arch}`);

  const url = `https://github.com/grafana/k6/releases/download/v${pin.version}/${archive.file}`;
  const bytes = await host.download(url, LIMITS);
  const sum = createHash('sha256').update(bytes).digest('hex');
  if (sum !== archive.sha256) {
    throw new Error(
      `${archive.file} has the SHA-256 ${sum}, not the pinned ${archive.sha256}; it was discarded`,
    );
  }

  await installFile(path, async (folder) => {
    await writeFile(join(folder, archive.file), bytes);
    // The tar of macOS and Windows reads zip archives as well.
    const unpacked = await host.run('tar', ['-xf', archive.file, '--strip-components=1'], {
      cwd: folder,
      timeoutSeconds: 60,
    });
    if (unpacked.kind !== 'ended' || unpacked.code !== 0) throw new Error(`tar: ${lastLineOf(unpacked)}`);
    return join(folder, host.platform === 'win32' ? 'k6.exe' : 'k6');
  });
}
