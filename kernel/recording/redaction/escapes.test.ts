import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsOf } from '../../../suites/service/wire/keyring.ts';
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

const key = 'demo-Free-1.k3y+with/odd=signs~"\\';
const redact = redactor(secretsOf({ key, other: 'another-key-of-another-caller' }));

const wrapAt = (text: string, columns: number, sign: string): string =>
  (text.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []).join(sign);
const base64 = Buffer.from(`user:${key}`).toString('base64');
const wraps: Readonly<Record<string, string>> = {
  'in quoted-printable': key.replace(/[^\w]/g, (c) => `=${c.charCodeAt(0).toString(16).toUpperCase()}`),
  'in quoted-printable of several lines': wrapAt(key.replaceAll('=', '=3D'), 20, '=\r\n'),
  'as a shell quotes it': key.replace(/[^\w]/g, '\\$&'),
  'in lines': wrapAt(key, 20, '\n'),
  'in lines of base64': wrapAt(base64, 30, '\r\n'),
  'in lines of base64 in JSON': JSON.stringify({ log: wrapAt(base64, 30, '\r\n') }),
  'in lines of base64 in JSON, indented': JSON.stringify({ log: wrapAt(base64, 30, '\n  ') }),
  'as indented bytes': JSON.stringify(Buffer.from(key), null, 2),
};
for (const [form, text] of Object.entries(wraps)) {
  test(`a key is found ${form}`, () => {
    const shown = redact(`before\n${text}\nafter`);
    assert.match(shown, /^before\n.*(?:\[key|-\d).*\nafter$/s);
    for (const part of [key.slice(10, 16), base64.slice(12, 24), '45,\n    70,']) {
      assert.ok(!shown.includes(part), shown);
    }
  });
}

test('a line break that divides a short key is left as it is, and so is every other text of several lines', () => {
  const text = '{\n  "name": "sh\\nort1",\n  "n": [1,\n 2]\n}\r\n\r\n=\r\nshor\nt1 =3D \\-';
  assert.equal(redactor(secretsOf({ key: 'short1' }))(text), text);
  assert.equal(redact(text), text);
  const signs = '=4'.repeat(100_000);
  assert.equal(redact(signs), signs);
});
