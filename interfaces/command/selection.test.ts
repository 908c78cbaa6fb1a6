import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, temporaryFolder } from '../../evaluation/testing/cli/command.ts';
import { REPORTS } from '../../reports/write.ts';

const reportOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));

test('a run of selected requirements sends what they need, says that it is partial, and ends with 0; so does judging it again', async (t) => {
  const cwd = temporaryFolder(t);
  const { code, out } = await run(t, ['certify', '--only', 'CREATE-4,MEDIA-3', '--out', 'run'], { cwd });
  assert.equal(code, 0, out);
  assert.match(out, /Partial run +selected, 2 requirements: MEDIA-3, CREATE-4/);
  assert.match(out, /Partial run: 2 of \d+ requirements\. 2 passed, none failed/);
  assert.doesNotMatch(out, /The target conforms/);
  const report = reportOf(join(cwd, 'run'));
  assert.equal(report.partial, 'pass');
  assert.notEqual(report.outcome, 'conforms');
  assert.deepEqual(report.selection, { kind: 'selected', requirements: ['MEDIA-3', 'CREATE-4'] });
  assert.equal(report.requests.keyed, 23);
  const again = await run(t, ['judge', join('run', 'journal.ndjson'), '--out', 'again'], { cwd });
  assert.equal(again.code, 0, again.out);
  assert.deepEqual(reportOf(join(cwd, 'again')), report);
});

test('a violation of a selected requirement ends the run with 1, one of another requirement does not', async (t) => {
  const cwd = temporaryFolder(t);
  const fault = ['certify', '--fault', 'missing-name-defaulted'];
  const violated = await run(t, [...fault, '--only', 'CREATE', '--out', 'one'], { cwd });
  assert.equal(violated.code, 1, violated.out);
  assert.match(violated.out, /✗ CREATE-4 fail/);
  const other = await run(t, [...fault, '--only', 'CREATE-5', '--out', 'other'], { cwd });
  assert.equal(other.code, 0, other.out);
});

test('what is selected and cannot be tested ends with 3', async (t) => {
  const { code, out } = await run(t, ['certify', '--only', 'VER-2']);
  assert.equal(code, 3, out);
  assert.match(out, /\? Partial run: 1 of \d+ requirements/);
});

test('a partial run is partial in every report, and is not attested', async (t) => {
  const cwd = temporaryFolder(t);
  await run(t, ['certify', '--only', 'LIST-1', '--out', 'run'], { cwd });
  for (const name of REPORTS) {
    const text = readFileSync(join(cwd, 'run', name), 'utf8');
    assert.match(text, /partial/i, name);
    assert.doesNotMatch(text, /the target conforms( in|:)|Conformance certificate/i, name);
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(cwd, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const attested = await run(t, ['attest', 'run', '--key', 'key.pem'], { cwd });
  assert.deepEqual([attested.code, attested.out], [2, '']);
  assert.match(attested.err, /run holds a partial run, which certifies nothing: run certify without --only/);
});

test('a quick run takes no option that needs a 429', async (t) => {
  const { code, err } = await run(t, ['certify', '--quick', '--thorough']);
  assert.equal(code, 2);
  assert.match(err, /--thorough needs a 429, which --quick leaves out/);
});
