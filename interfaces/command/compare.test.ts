import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { run, temporaryFolder } from '../../evaluation/testing/cli/command.ts';
import { conforming, violating } from '../../evaluation/testing/reports/records.ts';
import { renderJson } from '../../reports/json.ts';

/** A folder with the reports of two runs: `good` and `bad`. */
function folderOfReports(t: TestContext): string {
  const cwd = temporaryFolder(t);
  for (const [name, record] of [
    ['good', conforming()],
    ['bad', violating()],
  ] as const) {
    mkdirSync(join(cwd, name));
    writeFileSync(join(cwd, name, 'report.json'), renderJson(record));
  }
  return cwd;
}

test('compare gates on what became worse, and prints it for people and for programs', async (t) => {
  const cwd = folderOfReports(t);
  const worse = await run(t, ['compare', 'good', 'bad/report.json'], { cwd });
  assert.equal(worse.code, 1, worse.err);
  assert.match(worse.out, /^Worse:\n(?:.*\n)? {2}CREATE-4 +MUST +✓ pass +→ +✗ fail/);
  assert.match(worse.out, /✗ The second report is worse: 3 worse, 2 lost, \d+ the same\.\n$/);
  const better = await run(t, ['compare', 'bad', 'good', '--format', 'json'], { cwd });
  assert.equal(better.code, 0);
  assert.equal(JSON.parse(better.out).outcome, 'not worse');
  const markdown = await run(t, ['compare', 'bad', 'good', '--format', 'markdown'], { cwd });
  assert.match(markdown.out, /^\*\*✓ The second report is not worse: 2 new, 3 better/);
});

test('compare names a file that is no report', async (t) => {
  const cwd = folderOfReports(t);
  writeFileSync(join(cwd, 'other.json'), '{"outcome":"conforms"}');
  const missing = await run(t, ['compare', 'good', 'nowhere'], { cwd });
  assert.deepEqual([missing.code, missing.out], [2, '']);
  assert.match(missing.err, /nowhere cannot be read\. Name the folder of a run of certify/);
  const other = await run(t, ['compare', 'good', 'other.json'], { cwd });
  assert.equal(other.code, 2);
  assert.match(
    other.err,
    /other\.json is not a report of a run: subject must be one of service, client, load/,
  );
});

test('matrix puts reports side by side, and never replaces a file', async (t) => {
  const cwd = folderOfReports(t);
  const table = await run(t, ['matrix', 'v1=good', 'v2=bad'], { cwd });
  assert.equal(table.code, 0, table.err);
  assert.match(table.out, /^\| \| v1 \| v2 \|\n/);
  const page = ['matrix', 'good', 'bad', '--format', 'html', '--out', 'table.html'];
  assert.equal((await run(t, page, { cwd })).code, 0);
  const text = readFileSync(join(cwd, 'table.html'), 'utf8');
  assert.match(text, /<!DOCTYPE html>/);
  const again = await run(t, page, { cwd });
  assert.equal(again.code, 2);
  assert.match(again.err, /table\.html cannot be written: a file has that name/);
  const data = await run(t, ['matrix', 'a=good', 'b=bad', '--format', 'json'], { cwd });
  assert.deepEqual(
    JSON.parse(data.out).reports.map(({ name }: { name: string }) => name),
    ['a', 'b'],
  );
});
