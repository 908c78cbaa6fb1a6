import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lacksGmt, parseHttpDate } from './http-date.ts';

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
  'Sat, 21 Nov 2026 10:00:00 UTC',
  'Sat, 31 Feb 2026 10:00:00 GMT',
  'Sun, 29 Feb 2026 10:00:00 GMT',
  'Sat, 00 Nov 2026 10:00:00 GMT',
  'Sat, 21 Nov 2026 24:00:00 GMT',
  'Sat, 21 Nov 2026 29:00:00 GMT',
  'Sat, 21 Nov 2026 10:00:69 GMT',
  'Saturday, 31-Feb-26 10:00:00 GMT',
  'Sat Feb 31 10:00:00 2026',
]) {
  test(`${JSON.stringify(text)} is no HTTP-date`, () => assert.equal(parseHttpDate(text), undefined));
}

test('a leap second and a leap day are valid', () => {
  assert.equal(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT')?.seconds, Date.UTC(2017, 0, 1, 0, 0, 0) / 1000);
  assert.equal(parseHttpDate('Tue, 29 Feb 2028 10:00:00 GMT')?.seconds, Date.UTC(2028, 1, 29, 10) / 1000);
});

for (const [text, lacks] of [
  ['Sat, 21 Nov 2026 10:00:00 UTC', true],
  ['Sat, 21 Nov 2026 10:00:00 +0000', true],
  ['Sat, 21 Nov 2026 10:00:00', false],
  ['Sat, 31 Feb 2026 10:00:00 UTC', false],
  ['Sat, 21 Nov 2026 10:00:00 GMT', false],
  ['2026-11-21T10:00:00Z', false],
  ['60', false],
] as const)
  test(`${text} ${lacks ? 'lacks' : 'does not lack'} GMT alone`, () => assert.equal(lacksGmt(text), lacks));

test('no text of a target makes the reader throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseHttpDate(text)));
});
