import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Host } from './host.ts';
import { lastWords } from './host.ts';
import type { Pin } from './pin.ts';

/** The folder with the `go.mod` and `go.sum` that pin every byte of the source. */
const MODULE = fileURLToPath(new URL('.', import.meta.url));

/** Two cores take 75 s for it; a slow machine gets its time. */
const BUILD_SECONDS = 900;

/**
 * Builds k6 from the source that `go.sum` pins, and puts it at `path` in one step,
 * so that two runs at once do no harm to each other.
 * @throws {Error} with a clause for a person; nothing is left behind then.
 */
export async function buildFromSource(host: Host, pin: Pin, path: string): Promise<void> {
  const version = await host.run('go', ['env', 'GOVERSION'], { timeoutSeconds: 20 });
  if (version.kind !== 'ended' || version.code !== 0)
    throw new Error(`Go ${pin.goVersion} or newer is needed`);
  const found = version.stdout.trim().replace(/^go/, '');
  if (!reaches(found, pin.goVersion))
    throw new Error(`Go ${pin.goVersion} or newer is needed, this is ${found}`);

  await mkdir(dirname(path), { recursive: true });
  const folder = await mkdtemp(join(dirname(path), 'build-'));
  try {
    const built = await host.run('go', ['build', '-o', join(folder, 'k6'), pin.module], {
      cwd: MODULE,
      // The user's own flags and workspace are meant for the user's own code.
      env: { GOFLAGS: '-mod=readonly -trimpath -buildvcs=false', GOWORK: 'off', CGO_ENABLED: '0' },
      timeoutSeconds: BUILD_SECONDS,
    });
    if (built.kind !== 'ended' || built.code !== 0) throw new Error(`go build: ${lastWords(built)}`);
    await rename(join(folder, 'k6'), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function reaches(found: string, needed: string): boolean {
  const [foundMajor = 0, foundMinor = 0] = found.split('.').map((part) => Number.parseInt(part, 10));
  const [major = 0, minor = 0] = needed.split('.').map(Number);
  return foundMajor > major || (foundMajor === major && foundMinor >= minor);
}
