import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRuns, isRepeated, meetsBar, readResults, SEED, subjectOf, uncertain } from './results.ts';
import { limitFaults, subjects } from './subjects.ts';
import { accusations, tally, trial } from './tally.ts';

const results = readResults();
const rows = new Map((results?.rows ?? []).map((row) => [row.subject, row]));

test('the committed proof has a row for every subject, and at least 100,000 examinations', () => {
  assert.deepEqual(
    [...rows.keys()],
    subjects.map(({ id }) => id),
    'a subject came or went: npm run prove -- --only NAME --write, then npm run docs',
  );
  const runs = [...rows.values()].reduce((sum, row) => sum + row.runs, 0);
  assert.ok(runs >= 100_000, `${runs} examinations`);
});

test('the committed proof meets every bar', () => {
  const missed = subjects.filter((subject) => {
    const row = rows.get(subject.id);
    return row === undefined || !meetsBar(subject, row);
  });
  assert.deepEqual(
    missed.map(({ id }) => id),
    [],
  );
});

test('test runs repeat every service that conforms, but for one that takes long and only where the network is calm', () => {
  const left = subjects.filter((subject) => subject.conforms && !isRepeated(subject));
  assert.deepEqual(
    left.map(({ id }) => id),
    ['variant/list-of-fifty-thousand/lossy', 'variant/list-of-fifty-thousand/shared'],
  );
});

test('only faults that there are may be uncertain', () => {
  const names = new Set(limitFaults.map(({ id }) => id));
  assert.deepEqual(
    Object.keys(uncertain).filter((name) => !names.has(name)),
    [],
  );
});

for (const kind of ['conforming services', 'faults'] as const) {
  test(`the first runs of the ${kind} end as the committed proof says`, async () => {
    for (const subject of subjects.filter(isRepeated)) {
      if (subject.conforms !== (kind === 'conforming services')) continue;
      const { runs, found, accused } = await tally(subject, results?.seed ?? 0, 0, firstRuns(subject));
      assert.deepEqual({ runs, found, accused }, rows.get(subject.id)?.first, subject.id);
    }
  });
}

/** Runs that ended in a false fail once, and what the network had lost. */
const wronged = [
  ['third-witness/lossy', 1939, 'an answer to the other caller, whose request counted all the same'],
  ['third-witness/lossy', 2842, 'the same, with headers that describe the day'],
  ['sliding-counter/lossy', 921, 'two answers in a row to a key that kept sending, which looked like a ban'],
  ['variant/window-with-a-phase-for-each-key/lossy', 15, 'three answers beyond the limit, and others before'],
  ['variant/strangers-limited-by-address/lossy', 48, 'nothing: the limit of strangers refused a second key'],
  ['variant/names-unique/lossy', 32, 'the answer to a creation, whose name was taken when it was sent again'],
] as const;

for (const [id, run, lost] of wronged) {
  test(`nobody is accused where the network lost ${lost}`, async () => {
    const subject = subjectOf(id);
    assert.ok(subject !== undefined);
    assert.deepEqual(accusations(subject, (await trial(subject, SEED, run)).record), []);
  });
}
