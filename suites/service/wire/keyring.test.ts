import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTheKeyItself, present } from './keyring.ts';

type Changed = 'key with other last characters' | 'key with other characters in its middle';

/** The token that stands for a key of which a part is another one. */
function changed(kind: Changed, key: string): string {
  const { headers } = present({ kind }, { key });
  return headers[0]?.[1].replace('Bearer ', '') ?? '';
}

const otherEnd = (key: string): string => changed('key with other last characters', key);
const otherMiddle = (key: string): string => changed('key with other characters in its middle', key);

test('a key with other last characters keeps its length, its beginning and the kind of every character', () => {
  assert.equal(otherEnd('sk_live_0123456789abcdefABYZ'), 'sk_live_0123456789abdcfeBAZY');
  assert.equal(otherEnd('ABCD-EFGH-JKLM'), 'ABCD-FEHG-ILKN');
  assert.equal(otherEnd('1f0e8d7c-0000-4000-8000-00000000f9e8'), '1f0e8d7c-0000-4000-8000-00001111e8f9');
});

test('a key with other characters in its middle keeps its length, both ends and the kind of every character', () => {
  assert.equal(otherMiddle('sk_live_0123456789abcdefABYZ'), 'sk_live_0123547698bacdefABYZ');
  assert.equal(otherMiddle('1f0e8d7c-0000-4000-8000-00000000f9e8'), '1f0e8d7c-0000-4000-9111-11110000f9e8');
});

test('a key with too few letters and digits in its middle keeps both ends, and does not become another caller’s key', () => {
  for (const key of ['free-1', 'k2', '000012==', 'key-------1', 'ABCD-EFGH-JKLM']) {
    const half = Math.floor(key.length / 2);
    const token = otherMiddle(key);
    assert.ok(token.length > key.length + 8, token);
    assert.ok(token.startsWith(key.slice(0, half)) && token.endsWith(key.slice(half)), token);
  }
});

test('a key with too few letters and digits at its end does not become another caller’s key', () => {
  for (const key of ['free-1', 'k2', '000012==', 'key-------1']) {
    assert.ok(otherEnd(key).length > key.length + 8, otherEnd(key));
  }
});

test('a key without letters in another case is the key itself, and no other presentation is', () => {
  const same = (key: string, kind: 'key in another case' | 'extra spaces' | 'cookie'): boolean =>
    isTheKeyItself({ kind }, { key });
  assert.equal(same('483920', 'key in another case'), true);
  assert.equal(same('4839a0', 'key in another case'), false);
  assert.equal(same('483920', 'extra spaces'), false);
  assert.equal(same('483920', 'cookie'), false);
});

test('a long key stands in as many places as a request with it may be large', () => {
  for (const [length, query, headers] of [
    [40, 8, 9],
    [900, 6, 6],
    [8000, 1, 1],
  ] as const) {
    const key = 'k'.repeat(length);
    assert.equal(present({ kind: 'query string' }, { key }).query?.split('&').length, query);
    assert.equal(present({ kind: 'another header' }, { key }).headers.length, headers);
  }
});
