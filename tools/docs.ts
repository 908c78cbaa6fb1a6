import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { virtualRun } from '../evaluation/simulation/virtual-run.ts';
import { UserError } from '../kernel/basics/errors.ts';
import type { JsonSchema } from '../kernel/basics/shape.ts';
import { schemaOf } from '../kernel/basics/shape.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import { runRecord } from '../kernel/findings/record.ts';
import { findFault } from '../reference-server/catalogue/faults/index.ts';
import { baselineFile } from '../reports/baseline.ts';
import { renderHtml } from '../reports/html/page.ts';
import { journalLine } from '../suites/service/model/journal.ts';
import { fillBlocks } from './docs/blocks.ts';
import { generators } from './docs/generators.ts';
import { configurationSchema, requirementPages } from './docs/requirement-pages.ts';
import { filesEndingIn } from './project-files.ts';

/** The JSON Schemas of the files that other programs read: the path of each in the project, and its text. */
const schemas = (): readonly (readonly [path: string, text: string])[] =>
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

/** A fault that a popular limiter has by default: Reset as a number of seconds instead of a timestamp. */
const FAULT = 'reset-in-seconds-left';

/**
 * The example report, which README shows: its path and its text. It is about a real run against the reference server
 * with one injected fault, in virtual time, so the output is reproducible byte for byte.
 */
async function exampleReport(): Promise<readonly [path: string, text: string]> {
  const { record } = await virtualRun({ fault: findFault(FAULT) });
  return ['reports/example/report.html', renderHtml(record)];
}

// npm run docs [-- --check]: fills the generated blocks of all Markdown documents, and writes the
// example report and the JSON Schemas. With --check it writes nothing and fails if any of them is out of date.

const root = process.cwd();
const checking = process.argv.includes('--check');

try {
  const stale: string[] = [];
  const used = new Set<string>();
  for (const file of filesEndingIn(root, '.md')) {
    const current = await readFile(join(root, file), 'utf8');
    const { text, names } = fillBlocks(file, current, generators);
    for (const name of names) used.add(name);
    if (text === current) continue;
    if (!checking) await writeFile(join(root, file), text);
    stale.push(file);
  }
  for (const [file, text] of [
    await exampleReport(),
    configurationSchema(),
    ...requirementPages(),
    ...schemas(),
  ]) {
    const path = join(root, file);
    if (existsSync(path) && (await readFile(path, 'utf8')) === text) continue;
    if (!checking) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    stale.push(file);
  }
  const unused = Object.keys(generators).filter((name) => !used.has(name));
  if (unused.length > 0) throw new UserError(`No document has the generated block ${unused.join(', ')}.`);
  if (checking && stale.length > 0) {
    throw new UserError(`Out of date: ${stale.join(', ')}. Run "npm run docs" and commit what it writes.`);
  }
  console.log(
    checking || stale.length === 0 ? 'The generated documents are up to date.' : `Wrote ${stale.join(', ')}.`,
  );
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
