import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleScript } from '../../load/operator/manifests.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { bundlePackage, keepReachable } from './bundle.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

// npm run build: the product as modules in dist/, with the files that it reads and the declarations of what it exports in the
// folders of the source. npm runs it before it packs.

const out = join(root, 'dist');
await bundlePackage(out);
// k6 reads one file sooner than its modules, and esbuild is no dependency of a user.
const script = join(out, 'load', 'script');
mkdirSync(script);
writeFileSync(join(script, 'main.js'), await bundleScript());
declare(out);
keepReachable(out, exportedTypes());

/** The declarations of what the package exports. */
function exportedTypes(): readonly string[] {
  return Object.values<string | { readonly types?: string }>(packageJson.exports).flatMap((one) =>
    typeof one === 'string' || one.types === undefined ? [] : [join(root, one.types)],
  );
}

/** Writes the declarations of the product, with their comments, which editors show; ends this process at an error. */
function declare(folder: string): void {
  const config = join(root, 'tsconfig.build.json');
  const args = [tsc, '-p', config, '--outDir', folder, '--emitDeclarationOnly'];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
