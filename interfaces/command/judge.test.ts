import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { keyPair } from '../../evaluation/testing/cli/attested.ts';
import { commandIn } from '../../evaluation/testing/cli/command.ts';
import { REPORTS } from '../../reports/run-folder.ts';

test('judge writes the same report as certify, and names the damaged line of a journal', async (t) => {
  const here = commandIn(t);
  await here.exits(1, 'certify --fault missing-name-422 --out run');
  const first = here.read('run/report.json');

  const judged = await here.exits(1, 'judge run/journal.ndjson --out again');
  assert.match(judged.out, /✗ CREATE-4 fail/);
  assert.equal(judged.err, '');
  assert.equal(here.read('again/report.json'), first);
  assert.deepEqual(here.names('again'), here.names('run'));

  here.write('windows.ndjson', here.read('run/journal.ndjson').replaceAll('\n', '\r\n'));
  await here.exits(1, 'judge windows.ndjson --out windows');
  const withoutDigest = (folder: string) => ({ ...here.json(`${folder}/report.json`), journal: undefined });
  assert.deepEqual(withoutDigest('windows'), withoutDigest('run'));

  here.write('run/report.json', 'lost');
  await here.exits(1, 'judge run/journal.ndjson');
  assert.equal(here.read('run/report.json'), first, 'without --out the reports go where the journal lies');

  const lines = here.read('run/journal.ndjson').split('\n').length;
  appendFileSync(here.path('run/journal.ndjson'), '{"kind":"exchange","n":\n');
  const damaged = await here.exits(1, 'judge run/journal.ndjson --out damaged');
  assert.ok(damaged.out.includes(`Line ${lines} of run/journal.ndjson is damaged`), damaged.out);
});

test('judge keeps reports of another judgement, and replaces none by the same', async (t) => {
  const here = commandIn(t);
  await here.exits(0, 'certify --quick --fault no-challenge --out run');
  const strictOf = (folder: string) => here.json(`${folder}/report.json`).strict;

  const strict = await here.exits(1, 'judge run/journal.ndjson --strict');
  const [, earlier = ''] = /were moved to (run\/earlier-\S+\/) \(report\.json, /.exec(strict.err) ?? [];
  assert.deepEqual([strictOf(earlier), strictOf('run')], [false, true]);
  const again = await here.run('judge run/journal.ndjson --strict');
  assert.equal(again.err, '', 'the same reports replace themselves');

  await here.exits(0, 'certify --only VER-1 --out other');
  const over = await here.run('judge other/journal.ndjson --out run');
  assert.match(over.err, /moved to run\/earlier-.*journal\.ndjson/, 'a journal of another run is kept, too');
});

test('--format json prints the record and nothing else on standard output', async (t) => {
  const here = commandIn(t);
  const certified = await here.exits(0, 'certify --quick --format json --out run');
  assert.equal(certified.out, here.read('run/report.json'));
  assert.match(certified.err, /With the key +18 requests/);
  const judged = await here.run('judge run/journal.ndjson --format json');
  assert.equal(judged.out, certified.out);
  assert.equal(judged.err, '');
});

test('a run of selected requirements sends what they need, is partial in every report, and is not attested; so does judging it again', async (t) => {
  const here = commandIn(t);
  const { out } = await here.exits(0, 'certify --only CREATE-4,MEDIA-3 --out run');
  assert.match(out, /Partial run: 2 of \d+ requirements\. 2 passed, none failed/);
  assert.doesNotMatch(out, /The target conforms/);
  const report = here.json('run/report.json');
  assert.equal(report.partial, 'pass');
  assert.notEqual(report.outcome, 'conforms');
  assert.deepEqual(report.selection, { kind: 'selected', requirements: ['MEDIA-3', 'CREATE-4'] });
  assert.equal(report.requests.keyed, 23);
  await here.exits(0, 'judge run/journal.ndjson --out again');
  assert.deepEqual(here.json('again/report.json'), report);
  for (const name of REPORTS) {
    const text = here.read(`run/${name}`);
    assert.match(text, /partial/i, name);
    assert.doesNotMatch(text, /the target conforms( in|:)|Conformance certificate/i, name);
  }
  keyPair(here.folder, 'key');
  const attested = await here.exits(2, 'attest run --key key.pem');
  assert.equal(attested.out, '');
  assert.match(attested.err, /run holds a partial run, which certifies nothing: run certify without --only/);
});

test('a violation of a requirement that is not selected ends no run with 1; what cannot be tested ends it with 3', async (t) => {
  const here = commandIn(t);
  const other = await here.exits(0, 'certify --fault missing-name-defaulted --only CREATE-5 --out other');
  assert.match(other.out, /^! This run does not show the injected fault `missing-name-defaulted`/m);
  const { out } = await here.exits(3, 'certify --only VER-2');
  assert.match(out, /\? Partial run: 1 of \d+ requirements/);
});

/** A run with one violation, and its judgement again with a baseline of these entries. */
async function violating(t: TestContext, more: string) {
  const here = commandIn(t);
  const { out } = await here.exits(1, `certify --fault missing-name-defaulted --out run ${more}`);
  const judged = (code: number, violations: readonly object[], options = '') => {
    here.write('known.json', { baselineVersion: 1, violations });
    return here.exits(code, `judge run/journal.ndjson --out again --baseline known.json ${options}`);
  };
  return { ...here, out, judged };
}

const entry = (id: string, expires = '2999-12-31') => ({
  id,
  reason: 'gateway, PET-7',
  owner: 'Team A',
  expires,
});

test('a baseline is written from a run, and then the run passes, and says that the target violates', async (t) => {
  const here = await violating(t, '--quick --only CREATE --baseline-write known.json');
  assert.match(here.out, /✗ CREATE-4 fail/);
  assert.match(
    here.out,
    /Baseline: known\.json \(1 known violation\)\. Added: CREATE-4; state a reason and an owner/,
  );
  const { violations } = here.json('known.json');
  assert.deepEqual(
    violations.map(({ id }: { id: string }) => id),
    ['CREATE-4'],
  );
  const { out } = await here.judged(0, violations);
  assert.match(out, /violates 1 requirement of the specification, which is known\./);
  assert.match(out, /Known violation: accepted until/);
  const report = here.json('again/report.json');
  assert.equal(report.outcome, 'violates');
  assert.deepEqual(report.baseline.known, ['CREATE-4']);
});

test('a complete run of which every violation is known ends with 0; an unknown, expired or stale entry ends it with 1', async (t) => {
  const here = await violating(t, '');
  const known = await here.judged(0, [entry('CREATE-4')]);
  assert.match(known.out, /accepted until 2999-12-31 by Team A: gateway, PET-7/);
  const junit = here.read('again/junit.xml');
  assert.match(junit, /failures="0"/);
  assert.match(junit, /<skipped message="known violation, accepted until/);

  const unknown = await here.judged(1, []);
  assert.match(unknown.out, /1 violation not in the baseline: CREATE-4\./);
  const expired = await here.judged(1, [entry('CREATE-4', '2020-01-01')]);
  assert.match(expired.out, /1 entry of the baseline expired: CREATE-4 \(2020-01-01\)\./);
  const stale = await here.judged(1, [entry('CREATE-4'), entry('CREATE-5')], '--baseline-write known.json');
  assert.match(stale.out, /no longer fails: CREATE-5\. Remove it\./);
  assert.match(stale.out, /Removed, because it no longer fails: CREATE-5\./);
  assert.deepEqual(here.json('known.json').violations, [entry('CREATE-4')], 'the entry stays as it was');
  assert.match(here.read('again/junit.xml'), /<failure type="baseline"/);
});
