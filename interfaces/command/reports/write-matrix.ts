import { countOf } from '../../../kernel/basics/text.ts';
import type { NamedRecord, VerdictMatrix } from '../../../reports/matrix/matrix.ts';
import { matrixOf } from '../../../reports/matrix/matrix.ts';
import { renderMatrixHtml, renderMatrixJson, renderMatrixMarkdown } from '../../../reports/matrix/render.ts';
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

function namedRecord(argument: string): NamedRecord {
  const [, name, path] = /^([^=/\\]{1,80})=(.+)$/.exec(argument) ?? [];
  if (name !== undefined && path !== undefined) return { name, record: readReport(path) };
  const record = readReport(argument);
  return { name: testedText(record), record };
}
