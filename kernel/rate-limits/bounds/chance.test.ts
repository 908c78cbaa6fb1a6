import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN } from '../../../evaluation/testing/suites/synthetic.ts';
import { counts, gets } from '../../../evaluation/testing/suites/uses.ts';
import { minuteQuota } from '../quota.ts';
import { ofKey } from '../series/keyed-requests.ts';
import { stepsOf } from '../series/series.ts';
import { transitionsBefore429 } from '../series/transitions.ts';
import { chanceToHit } from './chance.ts';

const changesOf = (...told: readonly StagedExchange[]) =>
  transitionsBefore429(stepsOf(ofKey(counts(...told).exchanges)), minuteQuota(RUN.limits).limit);

const forty = changesOf(...gets(...Array.from({ length: 40 }, (_, i) => 58 - i)));
const hit = (...at: readonly number[]) => forty.filter((_, i) => at.includes(i));

/** n! / (n - k)! of n equal stretches, as the share of all ways to place k moments. */
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual / expected - 1) < 0.2, `${actual} is not about ${expected}`);

test('equal stretches are hit in proportion to their number', () => {
  near(chanceToHit(hit(3), forty), 1 / 40);
  near(chanceToHit(hit(3, 9), forty), 2 / 40 ** 2);
  near(chanceToHit(hit(1, 9, 17, 30), forty), 24 / 40 ** 4);
});

test('every stretch hit is improbable, and no stretch hit proves nothing', () => {
  assert.equal(chanceToHit([], forty), 1);
  assert.ok(chanceToHit(forty, forty) < 1);
});

test('a pause between two requests makes no coincidence less likely than the median does', () => {
  const run = counts(...gets(58, 57));
  run.wait(30);
  for (const told of gets(56, 55, 54)) run.add(told);
  const changes = transitionsBefore429(stepsOf(ofKey(run.exchanges)), 60);
  near(chanceToHit(changes.slice(0, 1), changes), 1 / 5);
});

test('a stretch that takes most of the time is hit by any client', () => {
  const run = counts(...gets(58, 57));
  run.wait(30);
  for (const told of gets(56, 55, 54)) run.add(told);
  const changes = transitionsBefore429(stepsOf(ofKey(run.exchanges)), 60);
  const longest = changes.filter(({ atMostMs }) => atMostMs > 10_000);
  assert.equal(longest.length, 1);
  assert.ok(chanceToHit(longest, changes) > 0.9);
});
