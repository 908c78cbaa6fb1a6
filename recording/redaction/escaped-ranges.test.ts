import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapedRanges } from './escaped-ranges.ts';
import { redactor } from './redact.ts';

const ranges = (text: string, reach: number) =>
  [...escapedRanges(text, reach, new Set([0x41, 0x22]))].map(({ start, end }) => [start, end]);

test('ranges reach this far around each escape, and are joined where they overlap', () => {
  assert.deepEqual(ranges('plain text', 3), []);
  assert.deepEqual(ranges(`${'x'.repeat(10)}%41${'x'.repeat(10)}`, 3), [[7, 13]]);
  assert.deepEqual(ranges(`\\u0041${'x'.repeat(20)}%41`, 3), [
    [0, 3],
    [23, 29],
  ]);
  assert.deepEqual(ranges(`xx\\"xx%41${'x'.repeat(9)}`, 4), [[0, 10]]);
});

test('an escape of a character that no secret has, and what is none, has no range', () => {
  assert.deepEqual(ranges('\\n %42 \\u0042 %4 \\u004 100 %', 3), []);
});

test('an escaped key is found anywhere in a long text, however it is escaped', () => {
  const key = 'live/Key"0123é';
  const redact = redactor([{ value: key, name: 'key' }]);
  const escapes = [
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    [...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    key.replace('/', '%2f'),
    key.replace('0', '\\u0030'),
  ];
  for (const escaped of escapes) {
    for (const before of ['', 'x'.repeat(5000), `\\n${'x'.repeat(5000)}`, '%41'.repeat(50)]) {
      for (const after of ['', ' and more', 'x'.repeat(5000)]) {
        assert.equal(redact(`${before} ${escaped} ${after}`), `${before} [key] ${after}`);
      }
    }
  }
});
