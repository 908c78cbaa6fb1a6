import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Host } from './host.ts';
import { lastWords } from './host.ts';

/** A program in Go that is built from source. */
export interface GoBuild {
  /** The folder with the `go.mod` and `go.sum` that pin every byte of the source. */
  readonly folder: string;
  /** Import path of the main package. */
  readonly package: string;
  /** The oldest Go that builds it, as `major.minor`. */
  readonly goVersion: string;
  /** Where the program is put. */
  readonly path: string;
  /** Further flags of `go build`. */
  readonly flags?: readonly string[];
}

/** Two cores take 75 s for k6, and more for others; a slow machine gets its time. */
const BUILD_SECONDS = 900;

/**
 * Builds a program and puts it in its place in one step, so that two runs at
 * once do no harm to each other.
 * @throws {Error} with a clause for a person; nothing is left behind then.
 */
export async function goBuild(host: Host, build: GoBuild): Promise<void> {
  const version = await host.run('go', ['env', 'GOVERSION'], { timeoutSeconds: 20 });
  if (version.kind !== 'ended' || version.code !== 0)
    throw new Error(`Go ${build.goVersion} or newer is needed`);
  const found = version.stdout.trim().replace(/^go/, '');
  if (!reaches(found, build.goVersion))
    throw new Error(`Go ${build.goVersion} or newer is needed, this is ${found}`);

  await mkdir(dirname(build.path), { recursive: true });
  const folder = await mkdtemp(join(dirname(build.path), 'build-'));
  try {
    const args = ['build', ...(build.flags ?? []), '-o', join(folder, 'built'), build.package];
    const built = await host.run('go', args, {
      cwd: build.folder,
      // The user's own flags and workspace are meant for the user's own code.
      env: { GOFLAGS: '-mod=readonly -trimpath -buildvcs=false', GOWORK: 'off', CGO_ENABLED: '0' },
      timeoutSeconds: BUILD_SECONDS,
    });
    if (built.kind !== 'ended' || built.code !== 0) throw new Error(`go build: ${lastWords(built)}`);
    await rename(join(folder, 'built'), build.path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function reaches(found: string, needed: string): boolean {
  const [foundMajor = 0, foundMinor = 0] = found.split('.').map((part) => Number.parseInt(part, 10));
  const [major = 0, minor = 0] = needed.split('.').map(Number);
  return foundMajor > major || (foundMajor === major && foundMinor >= minor);
}
