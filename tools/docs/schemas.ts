import type { JsonSchema } from '../../kernel/basics/shape.ts';
import { schemaOf } from '../../kernel/basics/shape.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { runRecord } from '../../kernel/findings/record.ts';
import { baselineFile } from '../../reports/baseline/file.ts';
import { journalLine } from '../../suites/service/model/journal.ts';

/** The JSON Schemas of the files that other programs read: the path of each in the project, and its text. */
export const schemas = (): readonly (readonly [path: string, text: string])[] =>
  Object.entries({
    journal: schemaOf('A line of journal.ndjson of petstore-conformance', journalLine),
    report: schemaOf('report.json of petstore-conformance', runRecord),
    'client-report': partOfReport('client'),
    'load-report': partOfReport('load'),
    baseline: schemaOf('Baseline of petstore-conformance', baselineFile),
  }).map(([name, schema]) => [`reports/schema/${name}.schema.json`, `${printed(schema, '')}\n`]);

/** The report about one subject alone. */
const partOfReport = (subject: RunRecord['subject']): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: `report.json of petstore-conformance about a ${subject === 'load' ? 'load run' : subject}`,
  $ref: `report.schema.json#/$defs/${subject}`,
});

/** The columns of a line. */
const WIDTH = 320;

/** JSON with each value on one line where it fits, so that a reader sees a field at a glance. */
function printed(value: unknown, indent: string): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null || indent.length + line.length < WIDTH) return line;
  const within = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => printed(one, within))
    : Object.entries(value).map(([name, one]) => `"${name}": ${printed(one, within)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => within + part).join(',\n')}\n${indent}${close}`;
}
