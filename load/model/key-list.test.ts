import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Limits } from '../../spec/plans.ts';
import { fleetPlansOf, parseKeyList } from './key-list.ts';

const limits: Limits = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

test('a file of keys: one on each line, with or without a plan, in the usual spellings of CSV', () => {
  const text = 'Key,Plan\r\npk-1,free\r\n\n# a comment\n"pk-2";"pro"\npk-3\tfree\n  pk-4  \n';
  assert.deepEqual(parseKeyList(text), [
    { key: 'pk-1', plan: 'free', line: 2 },
    { key: 'pk-2', plan: 'pro', line: 5 },
    { key: 'pk-3', plan: 'free', line: 6 },
    { key: 'pk-4', line: 7 },
  ]);
  assert.deepEqual(parseKeyList('\n# nothing\n'), []);
  assert.deepEqual(parseKeyList('pk-1'), [{ key: 'pk-1', line: 1 }]);
});

test('consecutive keys of one plan are one entry; a key without a plan has that of the run', () => {
  const keys = [{ key: 'a' }, { key: 'b', plan: 'free' }, { key: 'c', plan: 'pro' }, { key: 'd' }];
  assert.deepEqual(
    fleetPlansOf(keys, 'free', () => limits)?.map(({ plan, keys: many }) => [plan, many]),
    [
      ['free', 2],
      ['pro', 1],
      ['free', 1],
    ],
  );
  assert.equal(
    fleetPlansOf([{ key: 'a' }, { key: 'b' }], 'free', () => limits),
    undefined,
  );
});
