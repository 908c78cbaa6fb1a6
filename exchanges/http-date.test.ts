import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseHttpDate } from './http-date.ts';

test('the three forms of an HTTP-date name the same second, and only the first is current', () => {
  const forms = [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ];
  const read = forms.map(parseHttpDate);
  assert.deepEqual(
    read.map((one) => one?.obsolete),
    [false, true, true],
  );
  assert.equal(read[0]?.seconds, 784111777);
  assert.equal(read[2]?.seconds, 784111777);
  assert.equal(read[1]?.seconds, Date.UTC(2094, 10, 6, 8, 49, 37) / 1000);
});

for (const text of [
  '',
  '0',
  '2026-11-21T10:00:00Z',
  'Sat, 21 Nov 2026 10:00:00',
  'Sat, 21 Nov 2026 10:00:00 CET',
]) {
  test(`${JSON.stringify(text)} is no HTTP-date`, () => assert.equal(parseHttpDate(text), undefined));
}

test('no text of a target makes the reader throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseHttpDate(text)));
});
