import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CookieJar } from './cookie-jar.ts';

const lineAfter = (...responses: readonly (readonly string[])[]): string => {
  const jar = new CookieJar();
  for (const cookies of responses) jar.keep(cookies.map((cookie) => ['Set-Cookie', cookie]));
  return jar.line;
};

const rows: Readonly<Record<string, readonly [responses: readonly (readonly string[])[], sent: string]>> = {
  'no cookie': [[[]], ''],
  'two cookies of two responses': [[['a=1; Path=/'], ['b=2; HttpOnly']], 'a=1; b=2'],
  'the last value of a cookie': [[['a=1'], ['a=2']], 'a=2'],
  'a cookie that was deleted': [[['a=1', 'b=2'], ['a=; Max-Age=0']], 'b=2'],
  'what is no cookie': [[['nonsense', '=1', 'a b=1']], ''],
};

for (const [description, [responses, sent]] of Object.entries(rows)) {
  test(`${description}: ${sent === '' ? 'nothing' : sent} is sent back`, () => {
    assert.equal(lineAfter(...responses), sent);
  });
}

test('at most twenty cookies and 4 KiB are sent back', () => {
  const sent = lineAfter(Array.from({ length: 40 }, (_, i) => `c${i}=${'x'.repeat(500)}`));
  assert.ok(sent.length <= 4096 && sent.endsWith('x') && sent.includes('c39='));
  assert.equal(lineAfter(Array.from({ length: 40 }, (_, i) => `c${i}=1`)).split('; ').length, 20);
});
