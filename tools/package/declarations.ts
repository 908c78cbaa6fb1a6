import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
