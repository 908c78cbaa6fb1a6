import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { build } from 'esbuild';

/** The names under which a module finds its own place, which is that of its source. */
const PLACE = { 'import.meta.url': '__sourceUrl', 'import.meta.dirname': '__sourceFolder' } as const;

/** Gives every module the address of its source, so that it finds the files and programs beside it. */
const knowsItsSource: Plugin = {
  name: 'source',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const [url, folder] = [pathToFileURL(path).href, dirname(path)].map((text) => JSON.stringify(text));
      const place = `const ${PLACE['import.meta.url']} = ${url}, ${PLACE['import.meta.dirname']} = ${folder};`;
      // In the first line, so that every other keeps its number.
      return { loader: 'ts', contents: `${place} ${await readFile(path, 'utf8')}` };
    }),
};

/**
 * Compiles TypeScript modules of this project, with all that they import of it, into a folder, which is emptied before.
 * A process that loads them starts in a quarter of the time that it takes from source.
 * @param root the folder of the project
 * @param files paths relative to it
 * @param options where packages are; installed by default
 * @returns where the module of each file lies
 * @throws {Error} where a file cannot be compiled; esbuild has printed why.
 */
export async function compileModules(
  root: string,
  files: readonly string[],
  folder: string,
  options: BuildOptions = { packages: 'external' },
): Promise<(file: string) => string> {
  const outdir = resolve(root, folder);
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: files.map((file) => join(root, file)),
    outdir,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What two tests import stands once, as in the source.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    define: PLACE,
    plugins: [knowsItsSource],
    logLevel: 'warning',
    ...options,
  });
  return (file) => join(outdir, file.replace(/\.ts$/, '.mjs'));
}
