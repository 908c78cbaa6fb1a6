import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Imports and re-exports that are left at run time: not those of types alone. */
const VALUE_IMPORT =
  /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

/** Names in braces that are all types are erased as well. */
const TYPES_ALONE = /\{\s*type\s[^},]*(?:,\s*type\s[^},]*)*,?\s*\}/;

/**
 * The lines of every file of the project that a module reaches through its imports of values, static or not, its own
 * included: what has to be read to know what a command does.
 * @param file relative to the root of the project, with `/`
 */
export function reachOf(file: string): number {
  const found = new Map<string, number>();
  const visit = (path: string): void => {
    if (found.has(path) || !existsSync(path)) return;
    const text = readFileSync(path, 'utf8');
    found.set(path, text.split('\n').length - 1);
    for (const [statement, fixed, late] of text.matchAll(VALUE_IMPORT)) {
      const target = fixed ?? late ?? '';
      if (target.startsWith('.') && !TYPES_ALONE.test(statement))
        visit(posix.join(posix.dirname(path), target));
    }
  };
  visit(file);
  return [...found.values()].reduce((sum, lines) => sum + lines, 0);
}
