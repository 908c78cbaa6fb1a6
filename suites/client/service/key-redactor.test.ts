import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyRedactor } from './key-redactor.ts';

const key = 'pk-Zx81_aQm4-Lw0vT9sRe3';
const redact = keyRedactor(key);
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

test('the key byte for byte has a name of its own', () => {
  assert.equal(redact(`Bearer ${key}`), 'Bearer [key]');
  assert.equal(redact(`${key}${key}`), '[key][key]');
});

for (const [name, text, shown] of [
  ['percent-encoded', `Bearer ${percent(key)}`, 'Bearer [key, escaped]'],
  ['one character percent-encoded', `/v1?k=${key.replace('_', '%5F')}`, '/v1?k=[key, escaped]'],
  ['in capital letters', key.toUpperCase(), '[key in another case]'],
  ['plain and escaped', `${key} ${percent(key)}`, '[key] [key, escaped]'],
] as const) {
  test(`${name}: it cannot be taken for the key itself`, () => assert.equal(redact(text), shown));
}

test('in base64 it is found after any user name and before any password', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 9 }),
      fc.string({ maxLength: 9 }),
      (user, password) => {
        for (const alphabet of ['base64', 'base64url'] as const) {
          const sent = Buffer.from(`${user}:${key}${password}`).toString(alphabet);
          const shown = redact(`Basic ${sent}`);
          assert.match(shown, /\[key in base64\]/);
          // At most the characters beside it are left, which hold a part of one byte of the key each.
          assert.ok(shown.length < `Basic ${sent}`.length);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('a text without the key stays as it is', () => {
  assert.equal(redact('{"name":"dog"} Bearer pk-other %41'), '{"name":"dog"} Bearer pk-other %41');
});
