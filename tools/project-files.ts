import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'out',
  'test-results',
  'playwright-report',
]);

/**
 * Every file under `root` whose name ends in `ending`, as sorted paths relative to it with `/`;
 * hidden folders, packages and folders of output are left out.
 */
export function filesEndingIn(root: string, ending: string): readonly string[] {
  const walk = (folder: string): readonly string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
      const path = join(folder, one.name);
      if (one.isDirectory()) return SKIPPED.has(one.name) || one.name.startsWith('.') ? [] : walk(path);
      return one.name.endsWith(ending) ? [relative(root, path).split(sep).join('/')] : [];
    });
  return [...walk(root)].sort();
}

/** The test files of the project; with `wanted`, those that are or lie in one of these paths. */
export function testFiles(root: string, wanted: readonly string[]): readonly string[] {
  const all = filesEndingIn(root, '.test.ts');
  if (wanted.length === 0) return all;
  const paths = wanted.map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''));
  return all.filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)));
}
