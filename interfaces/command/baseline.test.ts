import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, temporaryFolder } from '../../evaluation/testing/cli/command.ts';

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
  const first = await run(t, [...fault, '--out', 'first', '--baseline-write', 'known.json'], { cwd });
  assert.equal(first.code, 1, first.out);
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
  const recorded = await run(t, fault, { cwd });
  assert.equal(recorded.code, 1, recorded.out);
  const judged = async (violations: readonly unknown[], more: readonly string[] = []) => {
    writeFileSync(join(cwd, 'known.json'), JSON.stringify({ baselineVersion: 1, violations }));
    const args = [
      'judge',
      join('run', 'journal.ndjson'),
      '--out',
      'again',
      '--baseline',
      'known.json',
      ...more,
    ];
    return run(t, args, { cwd });
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

test('a baseline that is none ends with 2 before anything is sent', async (t) => {
  const cwd = temporaryFolder(t);
  const wrong: readonly (readonly [text: string, message: RegExp])[] = [
    ['{', /is not JSON/],
    [
      '{"baselineVersion":1,"violations":[{"id":"RETRY-1"}]}',
      /is not a baseline: violations\[0\]\.reason must be a text/,
    ],
    [
      JSON.stringify({ baselineVersion: 1, violations: [entry('RETRY-11')] }),
      /no requirement that can fail\. Did you mean/,
    ],
    [JSON.stringify({ baselineVersion: 1, violations: [entry('RETRY-1'), entry('RETRY-1')] }), /twice/],
    [
      JSON.stringify({ baselineVersion: 1, violations: [entry('RETRY-1', 'soon')] }),
      /expires must be a day such as 2027-01-31/,
    ],
  ];
  for (const [text, message] of wrong) {
    writeFileSync(join(cwd, 'known.json'), text);
    const { code, out, err } = await run(t, ['certify', '--baseline', 'known.json'], { cwd });
    assert.equal(code, 2, out);
    assert.match(err, message);
    assert.equal(out, '');
  }
});
