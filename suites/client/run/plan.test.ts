import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarios } from '../scenarios/index.ts';
import { longestSeconds, planStarts, scenarioFor, startingOrder, watchedAtMost } from './plan.ts';

test('a run plays every scenario, the long ones on request, and one for attached clients never', () => {
  const { starts, ifUnclear } = planStarts(scenarios, { only: undefined, thorough: false });
  assert.equal(starts.length, 15);
  assert.ok(ifUnclear.every(({ scenario }) => scenario === 'backoff-without-header'));
  const numbers = ifUnclear.map(({ start, repetition }) => `${start} ${repetition}`);
  assert.deepEqual(numbers, ['16 1', '17 2', '18 3']);
  const ids = (thorough: boolean) =>
    planStarts(scenarios, { only: undefined, thorough }).starts.map(({ scenario }) => scenario);
  for (const id of ['wait-long', 'wait-hour']) assert.ok(!ids(false).includes(id) && ids(true).includes(id));
  assert.ok(!ids(true).includes('attached'));
});

test('--only keeps the scenarios that decide one of the requirements', () => {
  const { starts, ifUnclear } = planStarts(scenarios, { only: ['CLIENT-4'], thorough: false });
  assert.equal(starts.map(({ scenario }) => scenario).join(), 'wait-seconds,wait-creation,wait-date');
  assert.deepEqual(ifUnclear, []);
});

test('the longest duration is that of the starts one after the other in so many slots', () => {
  const { starts } = planStarts(scenarios, { only: undefined, thorough: false });
  const watched = starts.map(({ played }) => played.watchSeconds);
  assert.equal(
    longestSeconds(starts, 1),
    // Four repetitions begin later than the first of their scenario: twice by 0.7 s, twice by 1.4 s.
    Math.ceil(starts.reduce((sum, { played }) => sum + watchedAtMost(played), 4.2)),
  );
  assert.equal(longestSeconds(starts, 64), 77);
  assert.equal(longestSeconds(starts, 8), 146);
  assert.equal(longestSeconds([], 8), 0);
  const order = startingOrder(starts).map(({ played }) => played.watchSeconds);
  const longestFirst = watched.toSorted((a, b) => b - a);
  assert.deepEqual(order, longestFirst);
});

test('over a network, parallel responses are held for longer, and nothing else changes', () => {
  for (const scenario of scenarios) {
    const remote = scenarioFor('another host', scenario);
    assert.equal(scenarioFor('this host', scenario), scenario);
    if (remote.script.kind === 'one-of-several') assert.equal(remote.script.holdSeconds, 2);
    else assert.equal(remote, scenario);
  }
});
