import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
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

/** Modules hold the packages that they use: a project of its own brings Playwright, and a clone esbuild, with which it bundles the k6 script. */
export const WITH_PACKAGES: BuildOptions = {
  external: ['@playwright/test', 'esbuild'],
  banner: { js: BANNER },
};

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

/** The published package. What a command does not need stays in files that it does not load. @param folder is replaced. */
export const bundlePackage = (folder: string): Promise<void> =>
  bundle(folder, PACKAGE_ENTRIES, { splitting: true, chunkNames: '[name]-[hash]' });

/** The action of GitHub, in one file. @param folder is replaced. */
export const bundleAction = (folder: string): Promise<void> =>
  bundle(folder, { index: 'interfaces/command/action.ts' }, {});

/**
 * Bundles entries with everything that they need: a command loads a few files instead of hundreds, a verdict comes from
 * the releases of packages that were tested, and nothing is installed beside a key. Every module of a bundle lies in its
 * top folder, and the files that modules read in the folders of the source.
 */
async function bundle(
  folder: string,
  entries: Readonly<Record<string, string>>,
  options: Pick<BuildOptions, 'splitting' | 'chunkNames'>,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(entries).map(([out, file]) => ({ in: join(ROOT, file), out })),
    outdir: resolve(folder),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    plugins: [keepModuleUrls, ownNameAndVersion],
    logLevel: 'warning',
    ...WITH_PACKAGES,
    metafile: true,
    ...options,
  });
  writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(Object.keys(metafile.inputs)));
  for (const path of dataFiles(ROOT)) cpSync(join(ROOT, path), join(folder, path));
}

/** The licences of the packages that a bundle holds, which go with every copy. @param inputs the files that it is made of. */
function licencesOf(inputs: readonly string[]): string {
  const packages = inputs.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(packages)].sort().map((path) => {
    const file = readdirSync(join(ROOT, path)).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${path} has no licence file.`);
    return `${path.replace('node_modules/', '')}\n\n${readFileSync(join(ROOT, path, file), 'utf8')}`;
  });
  return texts.join('\n');
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
