import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayNumber, numbersTo, shareOf } from './sample.ts';

const week = [
  '2026-11-28',
  '2026-11-29',
  '2026-11-30',
  '2026-12-01',
  '2026-12-02',
  '2026-12-03',
  '2026-12-04',
];

test('each is in the sample of one day in a week', () => {
  const samples = week.map((day) => shareOf(numbersTo(100), dayNumber(day)));
  assert.deepEqual(
    samples.flat().sort((a, b) => a - b),
    numbersTo(100),
  );
  assert.ok(samples.every(({ length }) => length === 14 || length === 15));
  assert.deepEqual(shareOf(numbersTo(100), dayNumber('2026-12-05')), samples[0]);
});

test('of a short list every day has something', () => {
  const samples = week.map((day) => shareOf(['a', 'b', 'c'], dayNumber(day)));
  assert.ok(samples.every(({ length }) => length === 1));
  assert.deepEqual(new Set(samples.flat()), new Set(['a', 'b', 'c']));
  assert.deepEqual(shareOf([], 3), []);
});

test('what is no day is rejected with a sentence', () => {
  assert.throws(
    () => dayNumber('yesterday'),
    /TEST_SAMPLE is a day, such as 2026-11-25, or all; not yesterday\./,
  );
});
