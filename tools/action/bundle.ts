import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { dataFiles } from '../package/data-files.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where `action.yml` expects the bundle, within the repository. */
export const ACTION_FOLDER = 'action';

/** The packages that are CommonJS call `require`, and a module knows where it stood in the source. */
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
      const place = JSON.stringify(relative(ROOT, path));
      return { contents: text.replaceAll('import.meta.url', `__moduleUrl(${place})`), loader: 'ts' };
    });
  },
};

/**
 * Bundles the action of GitHub with everything that it needs, so that nothing is installed beside the keys of a job. The
 * k6 script is bundled by `load` alone, which the action does not run.
 * @param folder is replaced.
 */
export async function bundleAction(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await build({
    entryPoints: [join(ROOT, 'interfaces/command/action.ts')],
    outfile: join(folder, 'index.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['esbuild', '@playwright/test'],
    banner: { js: BANNER },
    plugins: [keepModuleUrls],
    logLevel: 'warning',
  });
  for (const path of dataFiles(ROOT)) cpSync(join(ROOT, path), join(folder, path));
}
