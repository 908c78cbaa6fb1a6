import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataFiles } from './data-files.ts';

// npm run build: compiles the product into dist/, in the folders of the source, with the files that it reads beside it.
// npm runs it before it packs. Declarations keep their comments, which editors show; the program does not need them.

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

rmSync(dist, { recursive: true, force: true });
compile('--declaration', '--emitDeclarationOnly');
compile('--removeComments');
for (const path of dataFiles(root)) cpSync(join(root, path), join(dist, path));
// The program reads its name and version from the package.json above it; the rest of it means nothing there.
const { name, version, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);

/** Runs the compiler, and ends this process where it finds an error. */
function compile(...options: readonly string[]): void {
  const args = [tsc, '-p', join(root, 'tsconfig.build.json'), ...options];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
