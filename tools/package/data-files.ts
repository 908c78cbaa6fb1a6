import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** What lies beside the source and is not part of the product: sources themselves, documents, examples, tests, compiler settings. */
const LEFT_OUT = /\.ts$|\.md$|\.png$|\/example\/|\/testing\/|\/check\/|tsconfig\.json$/;

/** The one document that the program reads: its digest stands in every report. */
const SPECIFICATION = 'spec/interface-specification.md';

/** The bin is published where it is, because it also starts a clone. */
const BIN = 'cli/petstore-conformance.js';

/** The files that the compiled program reads, relative to the root of the project. */
export function dataFiles(root: string): readonly string[] {
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
