import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alphabetOf, escapedRanges } from './escapes.ts';
import { redactor } from './redact.ts';

/** The parts that may be the key `A"AA`, which takes at most 240 units. */
const ranges = (text: string) =>
  [...escapedRanges(text, alphabetOf(['A"AA']))].map(({ start, end }) => text.slice(start, end));

test('a range ends at the first unit that no occurrence has', () => {
  assert.deepEqual(ranges('plain text'), []);
  assert.deepEqual(ranges('!A%41!'), ['A%41']);
  assert.deepEqual(ranges('!%41A"A ! \\u0041"AA.'), ['%41A"A', '\\u0041"AA']);
});

test('a range that is shorter than the shortest secret is left out', () => {
  assert.deepEqual(ranges('!%41!'), []);
  assert.deepEqual(ranges('!A\\"!'), []);
});

test('ranges reach as far as an occurrence is long around each escape, and are joined where they overlap', () => {
  const [far, near] = ['A'.repeat(500), 'A'.repeat(20)];
  assert.deepEqual(ranges(`${far}%41${far}`), [`${'A'.repeat(240)}%41${'A'.repeat(237)}`]);
  assert.deepEqual(ranges(`${near}%41${near}%41${near}`), [`${near}%41${near}%41${near}`]);
  assert.equal(ranges(`${near}%41${far}%41${near}`).length, 2);
});

test('an escape of a character that no secret has, and what is none, has no range', () => {
  assert.deepEqual(ranges('AAAA\\nAAAA %42AAAA \\u0042AAAA %4xAAAA \\u004xAAAA 100 %'), []);
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
    for (const before of [
      '',
      'x'.repeat(5000),
      `\\n${'x'.repeat(5000)} `,
      '%41'.repeat(50),
      'li',
      '\\n',
      'e'.repeat(5000),
    ]) {
      for (const after of ['', ' and more', 'x'.repeat(5000), 'v', 'é'.repeat(5000)]) {
        assert.equal(redact(`${before}${escaped}${after}`), `${before}[key]${after}`);
      }
    }
  }
});

test('a key is found with a backslash before each of its signs, as shells and regular expressions write it', () => {
  for (const sign of '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~') {
    const value = `zq${sign}7Wk2x9`;
    assert.equal(
      redactor([{ value, name: 'key' }])(`<${value.replace(sign, () => `\\${sign}`)}>`),
      '<[key]>',
      sign,
    );
  }
});
