import { UserError } from '../../../kernel/basics/errors.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import type { ListedRow, NamedRecord, VerdictMatrix } from '../../../reports/matrix.ts';
import {
  matrixOf,
  renderListing,
  renderMatrixHtml,
  renderMatrixJson,
  renderMatrixMarkdown,
} from '../../../reports/matrix.ts';
import { readReport } from '../../../reports/read.ts';
import { testedText } from '../../../reports/subject.ts';
import { writeNewFile } from '../folder.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';

const RENDERERS: Readonly<Record<string, (matrix: VerdictMatrix) => string>> = {
  markdown: renderMatrixMarkdown,
  html: renderMatrixHtml,
  json: renderMatrixJson,
};

export interface MatrixOptions {
  readonly format: string;
  readonly out?: string;
  /** The folder of the public keys, for a listing of certificates. */
  readonly keys?: string;
}

/**
 * Puts reports into one table; or, with keys, verifies the certificate of each folder, judges its journal again, and
 * lists them. Prints it, or writes it into a new file.
 * @param paths files or folders, each with an optional name before a `=`.
 * @throws {UserError | ReportError} when a path holds no report, the keys cannot be used, or the file exists or cannot be written.
 */
export async function writeMatrix(
  paths: readonly string[],
  { format, out, keys }: MatrixOptions,
  terminal: Terminal,
): Promise<void> {
  if (keys !== undefined && format !== 'html')
    throw new UserError('--keys lists certificates on a page: add --format html.');
  const [text, what] =
    keys === undefined
      ? [
          RENDERERS[format]?.(matrixOf(paths.map(namedRecord))) ?? '',
          `Table of ${countOf(paths.length, 'report')}`,
        ]
      : [await listingOf(paths, keys), `Listing of ${countOf(paths.length, 'certificate')}`];
  if (out === undefined) return print(terminal, text.trimEnd());
  writeNewFile(out, text);
  print(terminal, `${what}: ${out}`);
}

async function listingOf(folders: readonly string[], keys: string): Promise<string> {
  const { keysIn, rowOfFolder } = await import('./listing-rows.ts');
  const known = keysIn(keys);
  const rows: ListedRow[] = [];
  // One at a time: the journals of all of them may be larger than memory.
  for (const { name, path } of folders.map(namedPath))
    rows.push(await rowOfFolder(name ?? path, path, known));
  return renderListing(rows, { day: new Date().toISOString().slice(0, 10), suite: SUITE.version });
}

function namedRecord(argument: string): NamedRecord {
  const { name, path } = namedPath(argument);
  const record = readReport(path);
  return { name: name ?? testedText(record), record };
}

function namedPath(argument: string): { readonly name?: string; readonly path: string } {
  const [, name, path] = /^([^=/\\]{1,80})=(.+)$/.exec(argument) ?? [];
  return name === undefined || path === undefined ? { path: argument } : { name, path };
}
