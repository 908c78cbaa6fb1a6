import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeaderLine } from './exchange.ts';
import { headerValue, headerValues } from './headers.ts';

test('a header is found whatever its casing, every line of it', () => {
  const headers: HeaderLine[] = [
    ['X-RateLimit-Limit', '60'],
    ['x-ratelimit-limit', ' 60 '],
  ];
  assert.deepEqual(headerValues(headers, 'X-RateLimit-Limit'), ['60', '60']);
  assert.equal(headerValue(headers, 'X-RateLimit-Limit'), '60');
});

test('a header with two different values has no single value', () => {
  const headers: HeaderLine[] = [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Limit', '1000'],
  ];
  assert.equal(headerValue(headers, 'X-RateLimit-Limit'), undefined);
});
