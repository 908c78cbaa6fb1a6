import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { SCRIPT } from '../script/location.ts';

/**
 * The script and everything that it imports as one file of JavaScript. `k6 archive` would store the options, which
 * follow from the keys, and every file that the script opens, the keys among them.
 */
export async function bundleScript(): Promise<string> {
  // `npm run build` has bundled the script of the package.
  if (extname(SCRIPT) === '.js') return readFile(SCRIPT, 'utf8');
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [SCRIPT],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['k6', 'k6/*'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
