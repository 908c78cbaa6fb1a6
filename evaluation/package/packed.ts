import type { SpawnSyncReturns } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The longest that npm may take, in milliseconds: it may have to download the dependencies. */
const NPM_MS = 300_000;

/** What `npm pack` says of the package. */
export interface PackedPackage {
  /** The path of the tarball. */
  readonly path: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly files: readonly string[];
}

/** Builds and packs the package into a folder. @throws {Error} when npm fails, with what it printed. */
export function packInto(folder: string): PackedPackage {
  const { stdout } = npm(ROOT, 'pack', '--json', '--pack-destination', folder);
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  const { filename, size, files } = packed;
  return { path: join(folder, filename), size, files: files.map(({ path }: { path: string }) => path) };
}

/** An empty folder into which packages are installed. @throws {Error} when npm fails, with what it printed. */
export function installed(...packages: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-package-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages);
  return folder;
}

function npm(cwd: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  const done = spawnSync('npm', args, { cwd, encoding: 'utf8', timeout: NPM_MS });
  if (done.status === 0) return done;
  throw new Error(`npm ${args.join(' ')} failed: ${done.stderr}`);
}
