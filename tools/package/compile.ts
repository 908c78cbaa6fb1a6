import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { dataFiles } from './data-files.ts';
import { keepReachable } from './declarations.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/**
 * Compiles the product into a folder of this project, which is emptied before: in the folders of the source, with the
 * files that it reads beside it, and with declarations where they are wanted. Declarations keep their comments, which
 * editors show; the program does not need them. Ends this process where the compiler finds an error.
 */
export function compileInto(folder: string, { declarations }: { readonly declarations: boolean }): void {
  const out = join(root, folder);
  rmSync(out, { recursive: true, force: true });
  if (declarations) {
    compile('--outDir', out, '--declaration', '--emitDeclarationOnly');
    keepReachable(out, exportedTypes());
  }
  compile('--outDir', out, '--removeComments');
  for (const path of dataFiles(root)) cpSync(join(root, path), join(out, path));
  // The program reads its name and version from the package.json above it; the rest of it means nothing there.
  const { name, version, type } = packageJson;
  writeFileSync(join(out, 'package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
}

/**
 * Compiles the product into a folder of this project, with a script that starts the command.
 * @returns the path of the script.
 */
export function compileCommand(folder: string): string {
  compileInto(folder, { declarations: false });
  const script = join(root, folder, 'cli', 'petstore-conformance.js');
  writeFileSync(script, "import { main } from './main.js';\nawait main(process.argv);\n");
  return script;
}

/** The declarations of what the package exports. */
const exportedTypes = (): readonly string[] =>
  Object.values<string | { readonly types?: string }>(packageJson.exports).flatMap((one) =>
    typeof one === 'string' || one.types === undefined ? [] : [join(root, one.types)],
  );

function compile(...options: readonly string[]): void {
  const args = [tsc, '-p', join(root, 'tsconfig.build.json'), ...options];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
