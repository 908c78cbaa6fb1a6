import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import packageJson from '../../package.json' with { type: 'json' };

/** What lies beside the source and is not part of the product: sources themselves, documents, examples, tests, compiler settings. */
const LEFT_OUT = /\.ts$|\.md$|\.png$|\/example\/|\/testing\/|\/check\/|tsconfig\.json$/;

/** The one document that the program reads: its digest stands in every report. */
const SPECIFICATION = 'spec/interface-specification.md';

/** The bin is published where it is, because it also starts a clone. */
const BIN = 'cli/petstore-conformance.js';

/** The files that the compiled program reads, relative to the root of the project. */
function dataFiles(root: string): readonly string[] {
  const found = productFolders(root).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
  return [SPECIFICATION, ...found.filter((path) => !LEFT_OUT.test(path) && path !== BIN)];
}

/** The folders that are compiled. */
function productFolders(root: string): readonly string[] {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
  return include.map((pattern: string) => pattern.split('/', 1)[0] ?? '');
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where `action.yml` expects the bundle of the action, within the repository. */
export const ACTION_FOLDER = 'action';

/** What the package consists of: a module of the bundle, and the source that it is made of. */
const PACKAGE_ENTRIES = {
  command: 'interfaces/command/main.ts',
  library: 'interfaces/library/index.ts',
  'reference-server': 'interfaces/library/reference-server.ts',
  playwright: 'interfaces/playwright/index.ts',
  'playwright-reporter': 'interfaces/playwright/reporter.ts',
};

/** Packages that are CommonJS call `require`, and a module knows where it stood in the source. */
const BANNER = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);
const __moduleUrl = (path) => new URL(path, import.meta.url).href;`;

/** Modules read files beside them; in the bundle, these lie beside it in the folders of the source. */
const keepModuleUrls: Plugin = {
  name: 'keep-module-urls',
  setup(bundle) {
    bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (path.includes('node_modules') || !text.includes('import.meta.url')) return undefined;
      const place = JSON.stringify(relative(ROOT, path).replace(/\.ts$/, '.js'));
      return { contents: text.replaceAll('import.meta.url', `__moduleUrl(${place})`), loader: 'ts' };
    });
  },
};

const { name, version } = packageJson;

/** The program reads its name and version from package.json; the rest of it means nothing in a bundle. */
const ownNameAndVersion: Plugin = {
  name: 'own-name-and-version',
  setup(bundle) {
    bundle.onLoad({ filter: /package\.json$/ }, ({ path }) =>
      path === join(ROOT, 'package.json')
        ? { contents: JSON.stringify({ name, version }), loader: 'json' }
        : undefined,
    );
  },
};

/**
 * Bundles the published package, so that a command loads a few files instead of hundreds; what a command does not need
 * stays in files that it does not load. Packages are installed beside it.
 * @param folder is replaced.
 */
export async function bundlePackage(folder: string): Promise<void> {
  await bundle(folder, PACKAGE_ENTRIES, {
    packages: 'external',
    splitting: true,
    chunkNames: '[name]-[hash]',
  });
}

/**
 * Bundles the action of GitHub with everything that it needs, so that nothing is installed beside the keys of a job. The
 * k6 script is bundled by `load` alone, which the action does not run.
 * @param folder is replaced.
 */
export async function bundleAction(folder: string): Promise<void> {
  await bundle(
    folder,
    { index: 'interfaces/command/action.ts' },
    { external: ['esbuild', '@playwright/test'] },
  );
}

/** Every module of a bundle lies in its top folder, and the files that modules read in the folders of the source. */
async function bundle(
  folder: string,
  entries: Readonly<Record<string, string>>,
  options: Parameters<typeof build>[0],
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await build({
    entryPoints: Object.entries(entries).map(([out, file]) => ({ in: join(ROOT, file), out })),
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    banner: { js: BANNER },
    plugins: [keepModuleUrls, ownNameAndVersion],
    logLevel: 'warning',
    ...options,
  });
  for (const path of dataFiles(ROOT)) cpSync(join(ROOT, path), join(folder, path));
}

/** A file that a declaration names: `from './a.ts'`, `import './a.ts'` or `import('./a.ts')`. */
const NAMED = /(?:from |import |import\()['"](\.[^'"]+)\.[tj]s['"]/g;

/**
 * Removes the declarations to which no entry of the package leads: what is not exported cannot be imported, so no one
 * reads its types.
 * @param folder the folder of the compiled package.
 * @param entries the declarations that the package exports, as paths.
 * @throws {Error} of Node when a declaration names one that does not exist.
 */
export function keepReachable(folder: string, entries: readonly string[]): void {
  const reachable = new Set<string>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reachable.has(path)) continue;
    reachable.add(path);
    const text = readFileSync(path, 'utf8');
    for (const [, named = ''] of text.matchAll(NAMED)) open.push(join(dirname(path), `${named}.d.ts`));
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (path.endsWith('.d.ts') && !reachable.has(path)) rmSync(path);
  }
}
