import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { JUDGED_HEADERS } from './judged-headers.ts';

/** What judges consist of. */
const FOLDERS = [
  'clients/judging',
  'exchanges',
  'rate-limits',
  'suites/evidence',
  'suites/judge',
  'suites/requirements',
];

/** A header that is read by its name, in one of the two functions for it. */
const READ = /headerValues?\([^'"`;]{0,80}'([A-Za-z][A-Za-z0-9-]*)'/g;
/** The lists of names that they are also called with, and the signs of frameworks. */
const LISTED =
  /(?:RATE_HEADERS|DRAFT_FIELDS|CACHE_STATUS|INTERMEDIARY) = \[([^\]]*)\]|\bheader\('([A-Za-z0-9-]+)'/g;

const sources = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));

test('every header that a judge reads is in the list by which values are recorded', () => {
  const read = FOLDERS.flatMap(sources).flatMap((text) => [
    ...[...text.matchAll(READ)].map(([, name = '']) => name),
    ...[...text.matchAll(LISTED)].flatMap(([, list, one]) =>
      one === undefined
        ? [...(list ?? '').matchAll(/'([A-Za-z0-9-]+)'/g)].map(([, name = '']) => name)
        : [one],
    ),
  ]);
  assert.ok(read.length > 40, 'the judges were not found');
  const lacking = [...new Set(read.map((name) => name.toLowerCase()))].filter(
    // The id of a requirement stands before the name in one place.
    (name) => !JUDGED_HEADERS.has(name) && name !== 'http-2',
  );
  assert.deepEqual(lacking, []);
});
