import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likelyBase } from './base-address.ts';

const rows: readonly (readonly [given: string, address: string | undefined, below?: string])[] = [
  ['http://host', 'http://host/v1', '/v1'],
  ['http://host:8080/api', 'http://host:8080/api/v1', '/v1'],
  ['http://host/v1', undefined],
  ['http://host/api/v1', undefined],
  ['http://host/v1/v1', 'http://host/v1'],
  ['http://host/v1/categories', 'http://host/v1'],
  ['http://host/api/v1/categories/7', 'http://host/api/v1'],
  ['http://host/V1', 'http://host/v1'],
  ['http://host/categories', 'http://host/v1'],
  ['http://host/api/categories', 'http://host/api/v1'],
  ['no address', undefined],
];
for (const [given, address, below] of rows) {
  test(`${given} probably means ${address ?? 'what it says'}`, () => {
    const expected = address === undefined ? undefined : { address, below };
    assert.deepEqual(likelyBase(given), expected);
  });
}
