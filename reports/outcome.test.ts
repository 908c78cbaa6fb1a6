import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conforming, incomplete, recordWith, violating } from '../evaluation/testing/reports/records.ts';
import { citationOf, durationOf, momentOf, outcomeSentence, tallyOf } from './outcome.ts';

test('the outcome is one sentence that says how bad it is', () => {
  assert.equal(outcomeSentence(violating()), 'The target violates 2 requirements of the specification.');
  assert.equal(
    outcomeSentence(incomplete()),
    'The run is incomplete: no requirement failed, but 1 MUST requirement is inconclusive.',
  );
  assert.match(
    outcomeSentence(conforming()),
    /^The target conforms: \d+ requirements passed, and none failed\.$/,
  );
  assert.match(
    outcomeSentence(recordWith({ 'HTTP-1': { verdict: 'warn' } })),
    /none failed; 1 warning remains\.$/,
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
