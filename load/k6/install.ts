import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Host } from './host.ts';
import { lastLineOf } from './host.ts';

/**
 * Makes a file in a folder next to its place and moves it there in one step, so that no other run sees a partial file.
 * @param make returns the path of the file that it made in this folder; where it fails, no file remains.
 */
async function installFile(path: string, make: (folder: string) => Promise<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const folder = await mkdtemp(join(dirname(path), 'install-'));
  try {
    await rename(await make(folder), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface GoBuild {
  /** The folder with the `go.mod` and `go.sum` that pin every byte of the source. */
  readonly folder: string;
  readonly package: string;
  /** The oldest Go that builds it, as `major.minor`. */
  readonly goVersion: string;
  readonly path: string;
}

/** A build of k6 takes 75 s on two cores, other programs take longer; slow machines need several times as much. */
const BUILD_SECONDS = 900;

/** Builds a program and installs it. @throws {Error} with a clause for a person; no file remains then. */
export async function goBuild(host: Host, build: GoBuild): Promise<void> {
  const version = await host.run('go', ['env', 'GOVERSION'], { timeoutSeconds: 20 });
  if (version.kind !== 'ended' || version.code !== 0)
    throw new Error(`Go ${build.goVersion} or newer is needed`);
  const found = version.stdout.trim().replace(/^go/, '');
  if (found.localeCompare(build.goVersion, 'en', { numeric: true }) < 0)
    throw new Error(`Go ${build.goVersion} or newer is needed, found ${found}`);

  await installFile(build.path, async (folder) => {
    const made = join(folder, 'built');
    const args = ['build', '-o', made, build.package];
    const built = await host.run('go', args, {
      cwd: build.folder,
      // The user's own flags and workspace apply to the user's own code.
      env: { GOFLAGS: '-mod=readonly -trimpath -buildvcs=false', GOWORK: 'off', CGO_ENABLED: '0' },
      timeoutSeconds: BUILD_SECONDS,
    });
    if (built.kind !== 'ended' || built.code !== 0) throw new Error(`go build: ${lastLineOf(built)}`);
    return made;
  });
}

/** The k6 that is installed where none is found: the content of `pin.json`. */
export interface K6Pin {
  readonly version: string;
  /** Import path of the main package, for a build from source. */
  readonly module: string;
  readonly goVersion: string;
  /** Archives of the release by platform and processor, in the words of Node. */
  readonly archives: Readonly<Record<string, { readonly file: string; readonly sha256: string }>>;
}

export const k6Pin: K6Pin = JSON.parse(readFileSync(new URL('./pin.json', import.meta.url), 'utf8'));

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
