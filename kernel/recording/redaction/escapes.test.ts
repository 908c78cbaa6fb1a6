import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactor } from './redact.ts';

const LONG = 'x'.repeat(5000);

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
    for (const before of ['', LONG, `\\n${LONG} `, '%41'.repeat(50), 'li', '\\n', 'e'.repeat(5000)])
      for (const after of ['', ' and more', LONG, 'v', 'é'.repeat(5000)])
        assert.equal(redact(`${before}${escaped}${after}`), `${before}[key]${after}`);
  }
});

test('a key is found with any one of its characters escaped', () => {
  const key = 'abcdefghij';
  for (const character of key) {
    const text = key.replace(character, `%${character.charCodeAt(0).toString(16)}`);
    assert.equal(redactor([{ value: key, name: 'key' }])(`x${text}x`), 'x[key]x', text);
  }
});

test('a key is found with a backslash before each of its signs, as shells and regular expressions write it', () => {
  for (const sign of '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~') {
    const found = redactor([{ value: `zq${sign}7Wk2x9`, name: 'key' }]);
    assert.equal(found(`<zq\\${sign}7Wk2x9>`), '<[key]>', sign);
  }
});
