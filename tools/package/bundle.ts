import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import packageJson from '../../package.json' with { type: 'json' };
import { dataFiles } from './data-files.ts';

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
