import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { accounted } from './accounted.ts';

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
