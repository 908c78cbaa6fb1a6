import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleOf } from '../../tools/sample.ts';
import { readResults } from '../study.ts';
import { seededBy } from '../testing/suites/limiters.ts';
import { limitFaults, subjects } from './subjects.ts';
import type { SubjectResult } from './tally.ts';
import {
  COMMITTED_SEED,
  isRepeatedByTests,
  meetsThreshold,
  notAlwaysFound,
  repeatedRuns,
  subjectById,
  tallyRuns,
  unexpectedFails,
} from './tally.ts';

const rows = new Map(Object.entries(readResults<SubjectResult>('statistics')));

test('the committed results have a row for every subject, and at least 100,000 runs', () => {
  assert.deepEqual(
    [...rows.keys()],
    subjects.map(({ id }) => id),
    'a subject was added or removed: npm run evaluate -- statistics NAME --write, then npm run docs',
  );
  const runs = [...rows.values()].reduce((sum, row) => sum + row.runs, 0);
  assert.ok(runs >= 100_000, `${runs} runs`);
});

test('the committed results meet every threshold', () => {
  const missed = subjects.filter((subject) => {
    const row = rows.get(subject.id);
    return row === undefined || !meetsThreshold(subject, row);
  });
  const ids = missed.map(({ id }) => id);
  assert.deepEqual(ids, []);
});

test('the faults that are not always found exist', () => {
  const names = new Set(limitFaults.map(({ id }) => id));
  const gone = Object.keys(notAlwaysFound).filter((name) => !names.has(name));
  assert.deepEqual(gone, []);
});

for (const kind of ['conforming services', 'faults'] as const) {
  test(`the first runs of the ${kind} end as in the committed results`, async () => {
    for (const subject of sampleOf(subjects.filter(isRepeatedByTests))) {
      if (subject.conforms !== (kind === 'conforming services')) continue;
      const { first } = await tallyRuns(subject, COMMITTED_SEED, repeatedRuns(subject));
      assert.deepEqual(first, rows.get(subject.id)?.first, subject.id);
    }
  });
}

/**
 * Runs that once ended in a false fail, with the cause. The third column seeds
 * the run: it holds the id that the subject had when the run was found.
 */
const onceFalseFails = [
  [
    'model-service/lossy',
    1939,
    'third-witness/lossy',
    'the response to another key was lost, and its request was counted',
  ],
  ['model-service/lossy', 2842, 'third-witness/lossy', 'the same, with headers that describe the day'],
  [
    'sliding-counter/lossy',
    921,
    'sliding-counter/lossy',
    'two consecutive responses to a key that kept sending were lost, which looked like a ban',
  ],
  [
    'variant/window-with-a-phase-for-each-key/lossy',
    15,
    'variant/window-with-a-phase-for-each-key/lossy',
    'three responses beyond the limit were lost, and others before',
  ],
  [
    'variant/unauthenticated-limited-by-address/lossy',
    48,
    'variant/strangers-limited-by-address/lossy',
    'the limit for unauthenticated requests limited a second key; nothing was lost',
  ],
  [
    'variant/names-unique/lossy',
    32,
    'variant/names-unique/lossy',
    'the response to a creation was lost, and its name existed when it was sent again',
  ],
  [
    'variant/ban-with-403/shared',
    27,
    'variant/ban-with-403/shared',
    'another client kept sending during each wait, so that the key was banned',
  ],
] as const;

for (const [id, run, seedId, cause] of sampleOf(onceFalseFails)) {
  test(`no false fail: ${cause}`, async () => {
    const subject = subjectById(id);
    assert.ok(subject !== undefined);
    const { record } = await subject.trial(run, seededBy(`20261121 ${seedId} ${run}`));
    assert.deepEqual(unexpectedFails(subject, record), []);
  });
}
