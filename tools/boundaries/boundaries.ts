import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A folder with a purpose of its own, which ARCHITECTURE.md or the README above it states, and the folders that it may import from. */
export interface Folder {
  /** Relative to the root of the project, for example `suites/service/wire`. */
  readonly path: string;
  /** The folders it may import from, or `everything`; a folder covers its sub-folders unless one of them is listed itself. */
  readonly imports: readonly string[];
  /** Whether the folder that it lies in must not import from it. */
  readonly unknownAbove: boolean;
  /** Why it may not import from others, as the end of a message: "because …". */
  readonly because: string;
  /** No network, no files, no clock, no environment. */
  readonly pure: boolean;
}

/** Everything that carries code or types from another file, whatever its form. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]/g;

/** What a pure folder may not use: everything through which time, files, network or environment get in. */
const EFFECTS =
  /^(undici(\/.*)?|node:(fs|net|tls|https?|http2|dns|child_process|process|os|timers|perf_hooks|worker_threads)(\/.*)?)$/;

const isExempt = (file: string): boolean => /\.(test|rows|spec)\.ts$/.test(file);

/** The innermost folder that a file lies in, or undefined for files of the root folder. */
export function folderOf(folders: readonly Folder[], file: string): Folder | undefined {
  return folders
    .filter(({ path }) => file.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
}

/**
 * One sentence for each import of this file that its folder does not allow.
 * @param file relative to the root of the project, with `/`
 */
export function boundaryProblems(folders: readonly Folder[], file: string, text: string): readonly string[] {
  const folder = folderOf(folders, file);
  if (folder === undefined || isExempt(file)) return [];
  return [...text.matchAll(IMPORT)].flatMap(([, specifier = '']) => {
    const problem = specifier.startsWith('.')
      ? relativeProblem(folders, folder, file, posix.join(posix.dirname(file), specifier))
      : effectProblem(folder, specifier);
    return problem === undefined ? [] : [`${file} imports ${specifier}: ${problem}`];
  });
}

function relativeProblem(
  folders: readonly Folder[],
  folder: Folder,
  file: string,
  target: string,
): string | undefined {
  if (target === file) return 'in the package, a module that imports itself cannot be loaded.';
  const other = folderOf(folders, target);
  if (other === undefined || other === folder || folder.imports.includes('everything')) return undefined;
  const own = other.unknownAbove ? [] : [folder.path];
  if (isInside(other, [...own, ...folder.imports])) return undefined;
  return `${folder.path} may not import from ${other.path}, because ${folder.because}.`;
}

/** Whether a folder is one of these or lies in one of them. */
const isInside = ({ path }: Folder, allowed: readonly string[]): boolean =>
  allowed.some((one) => path === one || path.startsWith(`${one}/`));

function effectProblem({ path, pure }: Folder, specifier: string): string | undefined {
  if (!pure || !EFFECTS.test(specifier)) return undefined;
  return `${path} is pure: no network, files, clock or environment.`;
}

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
