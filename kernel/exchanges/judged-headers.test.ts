import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedValue } from './judged-headers.ts';

const tags = new Map<string, number>();
const tagOf = (value: string): number => {
  if (!tags.has(value)) tags.set(value, tags.size + 1);
  return tags.get(value) ?? 0;
};

const rows: readonly (readonly [name: string, value: string, recorded: string])[] = [
  ['X-RateLimit-Limit', '60', '60'],
  ['server', 'nginx/1.27', 'nginx/1.27'],
  ['X-Request-Id', '4711', '[not recorded 1]'],
  ['X-Request-Id', '4712', '[not recorded 2]'],
  ['X-Correlation-Id', '4711', '[not recorded 1]'],
  ['X-Seen-Key', '[key]', '[key]'],
  ['X-Seen-Key', '[key, escaped]', '[key, escaped]'],
  ['X-Gateway', '[value of X-Gateway]', '[value of X-Gateway]'],
  [
    'X-Seen-Keys',
    '[key in base64], [other key] and [secret]',
    '[not recorded 3] [key in base64] [other key]',
  ],
  ['Authorization', 'Basic c2VjcmV0', 'Basic [not recorded 4]'],
  ['Cookie', 'sid=4711; token=[key]', 'sid=[not recorded 1]; token=[key]'],
  ['Set-Cookie', 'laravel_session=4711', 'laravel_session=[not recorded 1]'],
  ['Location', '/v1/categories/?code=4711#4711', '/v1/categories/?code=[not recorded 1]#[not recorded 1]'],
  ['Location', 'https://me:pw@example.com/v1', 'https://[not recorded 5]@example.com/v1'],
];

for (const [name, value, recorded] of rows) {
  test(`${name}: ${value} is recorded as ${recorded}`, () => {
    assert.equal(recordedValue(name, value, tagOf), recorded);
  });
}
