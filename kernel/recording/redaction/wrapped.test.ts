import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsOf } from '../../../suites/service/wire/keyring.ts';
import { redactor } from './redact.ts';

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
