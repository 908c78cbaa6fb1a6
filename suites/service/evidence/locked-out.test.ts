import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { exchangesIn } from '../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { accounted, whileLost } from './locked-out.ts';

const list: StagedExchange = { left: 50 };
const creation: StagedExchange = { method: 'POST', status: 201, left: 50 };
const refusedList: StagedExchange = { status: 401, left: 0 };
const refusedCreation: StagedExchange = { method: 'POST', status: 403, left: 50 };
const told = (seconds: number): StagedExchange => ({
  ...refusedCreation,
  headers: [['Retry-After', String(seconds)]],
});

/** What was asked, and how many of the last of it count for nothing, since the key was banned. */
const lostKeyRows: Readonly<Record<string, readonly [asked: readonly StagedExchange[], lost: number]>> = {
  'a key that works': [[list, creation, list], 0],
  'a key that returns 401 whatever it asks': [[list, creation, refusedList, refusedCreation, refusedList], 3],
  'the same, with a 429 and a silence between': [
    [list, refusedList, { status: 429, left: 0 }, refusedCreation, { noResponse: 'timeout' }, refusedList],
    3,
  ],
  'a key that was never accepted': [[refusedList, refusedCreation, refusedList], 0],
  'two refusals, which a list may deserve': [[list, refusedList, refusedList], 0],
  'creations that are refused for what is in them': [
    [list, creation, refusedCreation, refusedCreation, refusedCreation, list],
    0,
  ],
  'a single one that states when to come back': [[list, told(60)], 1],
  'one that states it to a key that never worked': [[told(60), list], 0],
};

for (const [description, [asked, count]] of Object.entries(lostKeyRows)) {
  test(`${description}: ${count} of what was asked is about a ban`, () => {
    const run = new Synthesis();
    for (const one of asked) run.add(one);
    const lost = whileLost(run.exchanges);
    const limitedExchanges = run.exchanges.filter(
      ({ outcome }) => outcome.kind === 'answer' && [401, 403].includes(outcome.status),
    );
    assert.deepEqual([...lost], limitedExchanges.slice(limitedExchanges.length - count));
  });
}

const { lines } = await virtualRun();
const whole = exchangesIn(lines);

test('the exchanges of a whole journal stay as they are, and one that stands there twice counts once', () => {
  assert.deepEqual(accounted(whole), whole);
  assert.deepEqual(accounted(whole.flatMap((one) => [one, one])), whole);
});

test('for those that are missing there stand exchanges of the key without an answer, at any time in between', () => {
  const found = accounted(whole.filter(({ n }) => n !== 10 && n !== 11));
  assert.deepEqual(
    found.map(({ n }) => n),
    whole.map(({ n }) => n),
  );
  for (const { caller, outcome, sent, received } of found.slice(9, 11)) {
    assert.deepEqual([caller, outcome.kind], ['key', 'no-response']);
    assert.deepEqual([sent, received], [whole[8]?.sent, whole[11]?.received]);
  }
});

test('the first may be missing, and numbers that are no numbers of one run are left alone', () => {
  assert.equal(accounted(whole.slice(3)).length, whole.length);
  const [first] = whole;
  assert.ok(first !== undefined);
  assert.equal(accounted([first, { ...first, n: 1e15 }]).length, 2);
});
