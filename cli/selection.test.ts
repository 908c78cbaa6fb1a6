import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, temporaryFolder } from '../evaluation/testing/cli/command.ts';

const reportOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));

test('a run of selected requirements sends what they need, says that it is partial, and ends with 3; so does judging it again', async (t) => {
  const cwd = temporaryFolder(t);
  const { code, out } = await run(t, ['certify', '--only', 'CREATE-4,MEDIA-3', '--out', 'run'], { cwd });
  assert.equal(code, 3, out);
  assert.match(out, /Partial run +selected, 2 requirements: MEDIA-3, CREATE-4/);
  assert.match(out, /partial run, limited to 2 requirements: 2 passed, none failed/);
  assert.doesNotMatch(out, /The target conforms/);
  const report = reportOf(join(cwd, 'run'));
  assert.deepEqual(report.selection, { kind: 'selected', requirements: ['MEDIA-3', 'CREATE-4'] });
  assert.equal(report.requests.keyed, 23);
  const again = await run(t, ['judge', join('run', 'journal.ndjson'), '--out', 'again'], { cwd });
  assert.equal(again.code, 3, again.out);
  assert.deepEqual(reportOf(join(cwd, 'again')), report);
});

test('a violation of a selected requirement ends the run with 1, one of another requirement does not', async (t) => {
  const cwd = temporaryFolder(t);
  const fault = ['certify', '--fault', 'missing-name-defaulted'];
  const violated = await run(t, [...fault, '--only', 'CREATE', '--out', 'one'], { cwd });
  assert.equal(violated.code, 1, violated.out);
  assert.match(violated.out, /✗ CREATE-4 fail/);
  const other = await run(t, [...fault, '--only', 'CREATE-5', '--out', 'other'], { cwd });
  assert.equal(other.code, 3, other.out);
});

test('a quick run takes no option that needs a 429', async (t) => {
  const { code, err } = await run(t, ['certify', '--quick', '--thorough']);
  assert.equal(code, 2);
  assert.match(err, /--thorough needs a 429, which --quick leaves out/);
});
