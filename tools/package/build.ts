import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleScript } from '../../load/operator/bundle.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { dataFiles } from './data-files.ts';
import { keepReachable } from './declarations.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

// npm run build: compiles the product into dist/, in the folders of the source, with the files that it reads beside it. npm
// runs it before it packs. Declarations keep their comments, which editors show; the program does not need them.

const out = join(root, 'dist');
rmSync(out, { recursive: true, force: true });
compile('--outDir', out, '--declaration', '--emitDeclarationOnly');
keepReachable(out, exportedTypes());
compile('--outDir', out, '--removeComments');
// k6 reads one file sooner than its modules, and esbuild is no dependency of a user.
writeFileSync(join(out, 'load', 'script', 'main.js'), await bundleScript());
for (const path of dataFiles(root)) cpSync(join(root, path), join(out, path));
// The program reads its name and version from the package.json above it; the rest of it means nothing there.
const { name, version, type } = packageJson;
writeFileSync(join(out, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);

/** The declarations of what the package exports. */
function exportedTypes(): readonly string[] {
  return Object.values<string | { readonly types?: string }>(packageJson.exports).flatMap((one) =>
    typeof one === 'string' || one.types === undefined ? [] : [join(root, one.types)],
  );
}

/** Runs the compiler, and ends this process where it finds an error. */
function compile(...options: readonly string[]): void {
  const args = [tsc, '-p', join(root, 'tsconfig.build.json'), ...options];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
