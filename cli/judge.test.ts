import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, temporaryFolder } from '../evaluation/testing/cli/command.ts';

test('judge writes the same report as certify, and names the damaged line of a journal', async (t) => {
  const cwd = temporaryFolder(t);
  const certified = await run(t, ['certify', '--fault', 'missing-name-422', '--out', 'run'], { cwd });
  assert.equal(certified.code, 1, certified.err);
  const report = (folder: string) => readFileSync(join(cwd, folder, 'report.json'), 'utf8');
  const first = report('run');

  const judged = await run(t, ['judge', 'run/journal.ndjson', '--out', 'again'], { cwd });
  assert.equal(judged.code, 1, judged.err);
  assert.match(judged.out, /✗ CREATE-4 fail/);
  assert.equal(judged.err, '');
  assert.equal(report('again'), first);
  assert.deepEqual(readdirSync(join(cwd, 'again')), readdirSync(join(cwd, 'run')));

  writeFileSync(join(cwd, 'run', 'report.json'), 'lost');
  assert.equal((await run(t, ['judge', 'run/journal.ndjson'], { cwd })).code, 1);
  assert.equal(report('run'), first, 'without --out the reports go where the journal lies');

  const lines = readFileSync(join(cwd, 'run', 'journal.ndjson'), 'utf8').split('\n').length;
  appendFileSync(join(cwd, 'run', 'journal.ndjson'), '{"kind":"exchange","n":\n');
  const damaged = await run(t, ['judge', 'run/journal.ndjson', '--out', 'damaged'], { cwd });
  assert.equal(damaged.code, 1, damaged.err);
  assert.ok(damaged.out.includes(`Line ${lines} of run/journal.ndjson is damaged`), damaged.out);
});
