import { join } from 'node:path';
import type { Host } from './host.ts';
import { lastLineOf } from './host.ts';
import { installFile } from './install-file.ts';

/** A Go program to build from source. */
export interface GoBuild {
  /** The folder with the `go.mod` and `go.sum` that pin every byte of the source. */
  readonly folder: string;
  /** Import path of the main package. */
  readonly package: string;
  /** The oldest Go that builds it, as `major.minor`. */
  readonly goVersion: string;
  /** Where the program is installed. */
  readonly path: string;
  /** Further flags of `go build`. */
  readonly flags?: readonly string[];
}

/** A build of k6 takes 75 s on two cores, other programs take longer; slow machines need several times as much. */
const BUILD_SECONDS = 900;

/**
 * Builds a program and installs it.
 * @throws {Error} with a clause for a person; no file remains then.
 */
export async function goBuild(host: Host, build: GoBuild): Promise<void> {
  const version = await host.run('go', ['env', 'GOVERSION'], { timeoutSeconds: 20 });
  if (version.kind !== 'ended' || version.code !== 0)
    throw new Error(`Go ${build.goVersion} or newer is needed`);
  const found = version.stdout.trim().replace(/^go/, '');
  if (!reaches(found, build.goVersion))
    throw new Error(`Go ${build.goVersion} or newer is needed, found ${found}`);

  await installFile(build.path, async (folder) => {
    const made = join(folder, 'built');
    const args = ['build', ...(build.flags ?? []), '-o', made, build.package];
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

function reaches(found: string, needed: string): boolean {
  const [foundMajor = 0, foundMinor = 0] = found.split('.').map((part) => Number.parseInt(part, 10));
  const [major = 0, minor = 0] = needed.split('.').map(Number);
  return foundMajor > major || (foundMajor === major && foundMinor >= minor);
}
