import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedKey } from './checked-keys.ts';

const refused = (key: string, because: RegExp): void =>
  assert.throws(
    () => checkedKey(key, 'The key'),
    ({ message }: Error) => because.test(message) && !message.includes(`"${key}"`),
    key,
  );

test('a key of digits alone, of six characters and of any visible characters is taken', () => {
  for (const key of ['482197', '4821973', 'abc12x', 'a\\b[c]{"d', '{[k]}"\\7'])
    assert.equal(checkedKey(key, 'The key'), key);
});

test('a key that is too short to be told from other text is refused', () => {
  for (const key of ['a', '12345', 'abcde']) refused(key, /fewer than 6 characters/);
});

test('a word of the protocol, a part of one, and one in another case are refused', () => {
  for (const key of [
    'application',
    'applicat',
    'Bearer',
    'BEARER',
    'description',
    'ratelimit',
    'X-RateLimit-Limit',
    '"name":',
  ])
    refused(key, /word of the protocol/);
});
