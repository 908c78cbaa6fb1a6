import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conforming, incomplete, recordWith, violating } from '../evaluation/testing/reports/records.ts';
import { citationOf, durationOf, momentOf, outcomeSentence, outcomeSign, tallyOf } from './outcome.ts';

test('the outcome is one sentence that says how bad it is', () => {
  assert.equal(outcomeSentence(violating()), 'The target violates 2 requirements of the specification.');
  assert.equal(
    outcomeSentence(incomplete()),
    'The run is incomplete: no requirement failed, but 1 MUST requirement is inconclusive.',
  );
  assert.match(
    outcomeSentence(conforming()),
    /^The target conforms: core \+ isolation \+ day \+ bans \+ openapi\. \d+ requirements passed, and none failed\.$/,
  );
  assert.match(
    outcomeSentence(recordWith({ 'HTTP-1': { verdict: 'warn' } })),
    /none failed; 1 warning remains\.$/,
  );
});

test('a level claims only what was tested in full, and says what the core lacks', () => {
  const words = (findings: Parameters<typeof recordWith>[0]): string =>
    outcomeSign(recordWith(findings)).word;
  const untested = { verdict: 'not-tested' } as const;
  const oneKey = { 'LIMIT-7': untested, 'LIMIT-9': untested, 'BAN-1': untested, 'VER-2': untested };
  assert.equal(words(oneKey), 'conforms: core');
  assert.equal(words({ ...oneKey, 'LIMIT-7': {} }), 'conforms: core + isolation');
  assert.equal(words({ ...oneKey, 'BAN-1': {} }), 'conforms: core + bans');
  assert.equal(words({ ...oneKey, 'LIMIT-9': {} }), 'conforms: core + day');
  assert.equal(words({ ...oneKey, 'AUTH-5': untested }), 'conforms: core without AUTH-5');
  assert.equal(words({ ...oneKey, 'LIMIT-1': { verdict: 'inconclusive' } }), 'incomplete');
  assert.match(
    outcomeSentence(recordWith({ ...oneKey, 'CREATE-11': { verdict: 'warn' } })),
    /conforms: core\. .*CREATE-11: the specification shows no uniqueness rule, so no level requires that ids differ\.$/,
  );
});

test('a run that reached no verdict does not blame a number of requirements', () => {
  const sentence = outcomeSentence(recordWith({}, { outcome: 'incomplete' }));
  assert.match(sentence, /but it ended before a verdict\.$/);
});

test('what binds more stands first', () => {
  const { inconclusive } = tallyOf(
    recordWith({ 'HTTP-1': { verdict: 'inconclusive' }, 'RETRY-1': { verdict: 'inconclusive' } }),
  );
  assert.deepEqual(
    inconclusive.map((one) => one.id),
    ['RETRY-1', 'HTTP-1'],
  );
});

test('exchanges are cited in stretches, in order, each once', () => {
  assert.equal(citationOf([]), '');
  assert.equal(citationOf([7, 7]), 'exchange 7');
  assert.equal(citationOf([3, 1, 2, 7, 2]), 'exchanges 1–3, 7');
});

test('times are read, and left alone where they cannot be', () => {
  const lasting = (startedAt: string, finishedAt: string): string =>
    durationOf(recordWith({}, { startedAt, finishedAt }));
  assert.equal(lasting('2026-11-21T05:00:00Z', '2026-11-21T05:00:00.2Z'), '0.2 s');
  assert.equal(lasting('2026-11-21T05:00:00Z', '2026-11-21T05:00:59Z'), '59 s');
  assert.equal(lasting('2026-11-21T05:00:00Z', '2026-11-21T05:02:05Z'), '2 min 5 s');
  assert.equal(lasting('2026-11-21T05:00:00Z', 'never'), 'an unknown time');
  assert.equal(lasting('2026-11-21T05:00:01Z', '2026-11-21T05:00:00Z'), 'an unknown time');
  assert.equal(momentOf('2026-11-21T06:17:03.9+01:00'), '2026-11-21 05:17:03 UTC');
  assert.equal(momentOf('soon'), 'soon');
});
