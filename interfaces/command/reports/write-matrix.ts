import { countOf } from '../../../kernel/basics/text.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import type { ListedRow, NamedRecord, VerdictMatrix } from '../../../reports/matrix.ts';
import {
  matrixOf,
  renderMatrixHtml,
  renderMatrixJson,
  renderMatrixMarkdown,
} from '../../../reports/matrix.ts';
import { readReport } from '../../../reports/read.ts';
import { testedText } from '../../../reports/subject.ts';
import { printOrWrite } from '../folder.ts';
import type { Terminal } from '../terminal.ts';

const RENDERERS: Readonly<Record<string, (matrix: VerdictMatrix) => string>> = {
  markdown: renderMatrixMarkdown,
  html: renderMatrixHtml,
  json: renderMatrixJson,
};

/**
 * Puts reports into one table, and prints it or writes it into a new file.
 * @param paths files or folders, each with an optional name before a `=`.
 * @param format `markdown`, `html` or `json`.
 * @throws {UserError | ReportError} when a path holds no report, or the file exists or cannot be written.
 */
export function writeMatrix(
  paths: readonly string[],
  format: string,
  out: string | undefined,
  terminal: Terminal,
): void {
  const matrix = matrixOf(paths.map(namedRecord));
  const text = RENDERERS[format]?.(matrix) ?? '';
  printOrWrite(text, out, `Table of ${countOf(paths.length, 'report')}`, terminal);
}

/**
 * Verifies the certificate of each folder, judges its journal again, and writes one page.
 * @param folders each with an optional name before a `=`.
 * @param keys the folder of the public keys.
 * @throws {UserError} when the keys cannot be used, or the file exists or cannot be written.
 */
export async function writeListing(
  folders: readonly string[],
  keys: string,
  out: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const { keysIn, rowOfFolder } = await import('./listing-rows.ts');
  const { renderListing } = await import('../../../reports/matrix.ts');
  const known = keysIn(keys);
  const rows: ListedRow[] = [];
  // One at a time: the journals of all of them may be larger than memory.
  for (const { name, path } of folders.map(namedPath))
    rows.push(await rowOfFolder(name ?? path, path, known));
  const page = renderListing(rows, { day: new Date().toISOString().slice(0, 10), suite: SUITE.version });
  printOrWrite(page, out, `Listing of ${countOf(folders.length, 'certificate')}`, terminal);
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
