import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exits, journalIn, reportIn, run } from '../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { REPORTS } from '../../reports/run-folder.ts';

test('judge writes the same report as certify, and names the damaged line of a journal', async (t) => {
  const cwd = temporaryFolder(t);
  await exits(1, t, ['certify', '--fault', 'missing-name-422', '--out', 'run'], { cwd });
  const report = (folder: string) => readFileSync(join(cwd, folder, 'report.json'), 'utf8');
  const first = report('run');

  const judged = await exits(1, t, ['judge', 'run/journal.ndjson', '--out', 'again'], { cwd });
  assert.match(judged.out, /✗ CREATE-4 fail/);
  assert.equal(judged.err, '');
  assert.equal(report('again'), first);
  assert.deepEqual(readdirSync(join(cwd, 'again')), readdirSync(join(cwd, 'run')));

  const lineEndsOfWindows = journalIn(join(cwd, 'run')).replaceAll('\n', '\r\n');
  writeFileSync(join(cwd, 'windows.ndjson'), lineEndsOfWindows);
  await exits(1, t, ['judge', 'windows.ndjson', '--out', 'windows'], { cwd });
  const withoutDigest = (text: string) => ({ ...JSON.parse(text), journal: undefined });
  assert.deepEqual(withoutDigest(report('windows')), withoutDigest(first));

  writeFileSync(join(cwd, 'run', 'report.json'), 'lost');
  await exits(1, t, ['judge', 'run/journal.ndjson'], { cwd });
  assert.equal(report('run'), first, 'without --out the reports go where the journal lies');

  const lines = journalIn(join(cwd, 'run')).split('\n').length;
  appendFileSync(join(cwd, 'run', 'journal.ndjson'), '{"kind":"exchange","n":\n');
  const damaged = await exits(1, t, ['judge', 'run/journal.ndjson', '--out', 'damaged'], { cwd });
  assert.ok(damaged.out.includes(`Line ${lines} of run/journal.ndjson is damaged`), damaged.out);
});

test('judge keeps reports of another judgement, and replaces none by the same', async (t) => {
  const cwd = temporaryFolder(t);
  const args = ['certify', '--quick', '--fault', 'no-challenge', '--out', 'run'];
  await exits(0, t, args, { cwd });
  const strictOf = (folder: string) =>
    JSON.parse(readFileSync(join(cwd, folder, 'report.json'), 'utf8')).strict;
  const judge = ['judge', 'run/journal.ndjson'];

  const strict = await exits(1, t, [...judge, '--strict'], { cwd });
  const [, earlier = ''] = /were moved to (run\/earlier-\S+\/) \(report\.json, /.exec(strict.err) ?? [];
  assert.deepEqual([strictOf(earlier), strictOf('run')], [false, true]);
  const again = await run(t, [...judge, '--strict'], { cwd });
  assert.equal(again.err, '', 'the same reports replace themselves');

  await exits(0, t, ['certify', '--only', 'VER-1', '--out', 'other'], { cwd });
  const over = await run(t, ['judge', 'other/journal.ndjson', '--out', 'run'], { cwd });
  assert.match(over.err, /moved to run\/earlier-.*journal\.ndjson/, 'a journal of another run is kept, too');
});

test('--format json prints the record and nothing else on standard output', async (t) => {
  const cwd = temporaryFolder(t);
  const certified = await exits(0, t, ['certify', '--quick', '--format', 'json', '--out', 'run'], { cwd });
  assert.equal(certified.out, readFileSync(join(cwd, 'run', 'report.json'), 'utf8'));
  assert.match(certified.err, /With the key +18 requests/);
  const judged = await run(t, ['judge', 'run/journal.ndjson', '--format', 'json'], { cwd });
  assert.equal(judged.out, certified.out);
  assert.equal(judged.err, '');
});

test('a run of selected requirements sends what they need, says that it is partial, and ends with 0; so does judging it again', async (t) => {
  const cwd = temporaryFolder(t);
  const { out } = await exits(0, t, ['certify', '--only', 'CREATE-4,MEDIA-3', '--out', 'run'], { cwd });
  assert.match(out, /Partial run +selected, 2 requirements: MEDIA-3, CREATE-4/);
  assert.match(out, /Partial run: 2 of \d+ requirements\. 2 passed, none failed/);
  assert.doesNotMatch(out, /The target conforms/);
  const report = reportIn(join(cwd, 'run'));
  assert.equal(report.partial, 'pass');
  assert.notEqual(report.outcome, 'conforms');
  assert.deepEqual(report.selection, { kind: 'selected', requirements: ['MEDIA-3', 'CREATE-4'] });
  assert.equal(report.requests.keyed, 23);
  await exits(0, t, ['judge', join('run', 'journal.ndjson'), '--out', 'again'], { cwd });
  assert.deepEqual(reportIn(join(cwd, 'again')), report);
});

test('a violation of a selected requirement ends the run with 1, one of another requirement does not', async (t) => {
  const cwd = temporaryFolder(t);
  const fault = ['certify', '--fault', 'missing-name-defaulted'];
  const violated = await exits(1, t, [...fault, '--only', 'CREATE', '--out', 'one'], { cwd });
  assert.match(violated.out, /✗ CREATE-4 fail/);
  await exits(0, t, [...fault, '--only', 'CREATE-5', '--out', 'other'], { cwd });
});

test('what is selected and cannot be tested ends with 3', async (t) => {
  const { out } = await exits(3, t, ['certify', '--only', 'VER-2']);
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

const jsonOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const entry = (id: string, expires = '2999-12-31') => ({
  id,
  reason: 'gateway, PET-7',
  owner: 'Team A',
  expires,
});

test('a baseline is written from a run, and then the run passes, and says that the target violates', async (t) => {
  const cwd = temporaryFolder(t);
  const fault = ['certify', '--fault', 'missing-name-defaulted', '--quick', '--only', 'CREATE'];
  const first = await exits(1, t, [...fault, '--out', 'first', '--baseline-write', 'known.json'], { cwd });
  assert.match(
    first.out,
    /Baseline: known\.json \(1 known violation\)\. Added: CREATE-4; state a reason and an owner/,
  );
  const written = jsonOf(join(cwd, 'known.json'));
  assert.deepEqual(
    written.violations.map(({ id }: { id: string }) => id),
    ['CREATE-4'],
  );

  const judge = ['judge', join('first', 'journal.ndjson'), '--baseline', 'known.json', '--out', 'second'];
  const second = await run(t, judge, { cwd });
  assert.equal(second.code, 0, 'everything else of the selection passes');
  assert.match(second.out, /violates 1 requirement of the specification, which is known\./);
  assert.match(second.out, /Known violation: accepted until/);
  const report = jsonOf(join(cwd, 'second', 'report.json'));
  assert.equal(report.outcome, 'violates');
  assert.deepEqual(report.baseline.known, ['CREATE-4']);
});

test('a complete run of which every violation is known ends with 0; an unknown, expired or stale entry ends it with 1', async (t) => {
  const cwd = temporaryFolder(t);
  const fault = ['certify', '--fault', 'missing-name-defaulted', '--out', 'run'];
  await exits(1, t, fault, { cwd });
  const judged = async (violations: readonly unknown[], more: readonly string[] = []) => {
    writeFileSync(join(cwd, 'known.json'), JSON.stringify({ baselineVersion: 1, violations }));
    const judge = ['judge', join('run', 'journal.ndjson'), '--out', 'again'];
    return run(t, [...judge, '--baseline', 'known.json', ...more], { cwd });
  };
  const known = await judged([entry('CREATE-4')]);
  assert.equal(known.code, 0, known.out);
  assert.match(known.out, /accepted until 2999-12-31 by Team A: gateway, PET-7/);
  const junit = readFileSync(join(cwd, 'again', 'junit.xml'), 'utf8');
  assert.match(junit, /failures="0"/);
  assert.match(junit, /<skipped message="known violation, accepted until/);

  const unknown = await judged([]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.out, /1 violation not in the baseline: CREATE-4\./);
  const expired = await judged([entry('CREATE-4', '2020-01-01')]);
  assert.equal(expired.code, 1);
  assert.match(expired.out, /1 entry of the baseline expired: CREATE-4 \(2020-01-01\)\./);
  const stale = await judged([entry('CREATE-4'), entry('CREATE-5')], ['--baseline-write', 'known.json']);
  assert.equal(stale.code, 1);
  assert.match(stale.out, /no longer fails: CREATE-5\. Remove it\./);
  assert.match(stale.out, /Removed, because it no longer fails: CREATE-5\./);
  assert.deepEqual(
    jsonOf(join(cwd, 'known.json')).violations,
    [entry('CREATE-4')],
    'the entry stays as it was',
  );
  assert.match(readFileSync(join(cwd, 'again', 'junit.xml'), 'utf8'), /<failure type="baseline"/);
});
