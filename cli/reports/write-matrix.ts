import { jsonText } from '../../reports/json.ts';
import type { NamedRecord, VerdictMatrix } from '../../reports/matrix/matrix.ts';
import { matrixOf } from '../../reports/matrix/matrix.ts';
import { renderMatrixHtml, renderMatrixMarkdown } from '../../reports/matrix/render.ts';
import { readReport } from '../../reports/read.ts';
import { testedText } from '../../reports/subject.ts';
import { writeNewFile } from '../folder.ts';
import type { Terminal } from '../terminal.ts';
import { counted, print } from '../terminal.ts';

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
  if (out === undefined) {
    print(terminal, text.trimEnd());
    return;
  }
  writeNewFile(out, text);
  print(terminal, `Table of ${counted(paths.length, 'report')}: ${out}`);
}

function namedRecord(argument: string): NamedRecord {
  const [, name, path] = /^([^=/\\]{1,80})=(.+)$/.exec(argument) ?? [];
  if (name !== undefined && path !== undefined) return { name, record: readReport(path) };
  const record = readReport(argument);
  return { name: testedText(record), record };
}

function renderMatrixJson({ columns, rows }: VerdictMatrix): string {
  const reports = columns.map(({ name, record }) => ({
    name,
    subject: record.subject,
    tested: testedText(record),
    startedAt: record.startedAt,
    outcome: record.outcome,
  }));
  return jsonText({ schemaVersion: 1, reports, requirements: rows });
}
