import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** How the name of the module of a group begins. */
export const GROUP = 'group-';

/**
 * Divides files among a number of groups, one after the other, so that the files of a
 * slow folder do not end in one group. No group is empty.
 */
export function dealt(files: readonly string[], groups: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.min(groups, files.length) }, (_, group) =>
    files.filter((_file, at) => at % groups === group),
  );
}

/**
 * A module that runs several test files in one process. Each file is a suite of its own, so
 * that its hooks apply to its own tests only and the report names the file.
 * @param moduleOf the path of the module to load for a file
 */
export function groupModule(files: readonly string[], moduleOf: (file: string) => string): string {
  const suites = files.map((file) => {
    const [name, url] = [file, pathToFileURL(moduleOf(file)).href].map((text) => JSON.stringify(text));
    return `describe(${name}, async () => {\n  await import(${url});\n});\n`;
  });
  return `import { describe } from 'node:test';\n\n${suites.join('')}`;
}

/**
 * Writes the module of each group into a temporary folder, which is removed when this
 * process exits.
 * @returns the paths of the modules, in the order of the groups.
 */
export function writeGroups(
  groups: readonly (readonly string[])[],
  moduleOf: (file: string) => string,
): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return groups.map((files, at) => {
    const path = join(folder, `${GROUP}${at + 1}.mjs`);
    writeFileSync(path, groupModule(files, moduleOf));
    return path;
  });
}
