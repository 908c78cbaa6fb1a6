import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { draftRateLimitFields, nearRateLimitFields, readRateHeaders } from './rate-headers.ts';

test('each header is a number or nothing, whatever the text of a target', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { limit, remaining, reset } = readRateHeaders([
        ['X-RateLimit-Limit', text],
        ['X-RateLimit-Remaining', text],
        ['X-RateLimit-Reset', text],
      ]);
      for (const number of [limit, remaining, reset])
        assert.ok(number === undefined || Number.isFinite(number));
    }),
  );
});

for (const [text, whole, decimal] of [
  ['60', 60, 60],
  ['60.5', undefined, 60.5],
  ['-1', undefined, undefined],
  ['60, 60', undefined, undefined],
  ['1e3', undefined, undefined],
] as const) {
  test(`${JSON.stringify(text)} is read as ${whole} where a whole number belongs, and as ${decimal} in Reset`, () => {
    const read = readRateHeaders([
      ['X-RateLimit-Limit', text],
      ['X-RateLimit-Reset', text],
    ]);
    assert.deepEqual(read, { limit: whole, remaining: undefined, reset: decimal });
  });
}

test('the fields of the Internet-Draft are found in any casing and named in its own', () => {
  assert.deepEqual(draftRateLimitFields([['ratelimit-policy', '"default";q=60;w=60']]), ['RateLimit-Policy']);
});

test('fields with near names are neither the three headers nor those of the draft', () => {
  const near = [
    'X-Rate-Limit-Limit',
    'X-RateLimit-Limit-Minute',
    'X-Ratelimit-Requests-Remaining',
    'Rate_Limit',
  ];
  const others = ['x-ratelimit-limit', 'X-RateLimit-Reset', 'RateLimit', 'Ratelimit-Policy', 'Retry-After'];
  assert.deepEqual(nearRateLimitFields([...near, ...others, ...near].map((name) => [name, '1'])), near);
});
