import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { inTurn } from '../../../evaluation/testing/suites/uses.ts';
import { lockoutsIn } from '../model/lockout.ts';
import { accounted, isLockedOut, whileLost, withoutLockouts } from './locked-out.ts';

/** What was sent in turn, and whose answers are set aside. */
const rows: Readonly<Record<string, readonly [sent: string, setAside: string]>> = {
  'nobody is locked out': ['U401 K200 U401 K403', ''],
  'an answer to the key is its own where it was not locked out': ['U401 K200 U403 U403 K200 K403', '3 4'],
  'what was rejected before': ['O403 U401 K200 U401 U403 K403', '5 6'],
  'within a lockout that ended': ['U401 K200 U401 U403 O403 K403 K200 U401', '4 5 6'],
  'a key after a lockout that ended': ['U401 K200 U401 U403 K403 K200 U401 O403', '4 5'],
  'requests without a key after those alone were locked out': ['U401 K200 U403 U403 U401 U403', '3 4 6'],
  'what is banned on purpose': ['U401 K200 U403 U403 K200 u403', '3 4'],
  'what is banned on purpose after everyone was locked out': ['U401 K200 U401 U403 K403 k403', '4 5 6'],
  'what is banned on purpose before everyone was locked out': ['U401 K200 k403 U401 U403 K403', '5 6'],
};

for (const [what, [sent, setAside]] of Object.entries(rows)) {
  test(`whose answers a lockout sets aside: ${what}`, () => {
    const exchanges = inTurn(sent);
    const left = withoutLockouts(exchanges, lockoutsIn(exchanges));
    assert.equal(left.flatMap((one) => (isLockedOut(one) ? [one.n] : [])).join(' '), setAside);
  });
}

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
const whole = lines.filter((line) => line.kind === 'exchange');

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
