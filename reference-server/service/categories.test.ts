import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCategoryStore, MAX_CATEGORIES, MAX_LIST_LENGTH } from './categories.ts';

test('a full store creates no category and drops none', () => {
  const store = createCategoryStore();
  for (let n = 1; n <= MAX_CATEGORIES; n += 1) assert.equal(store.create({ name: 'x' })?.id, BigInt(n));
  assert.equal(store.create({ name: 'x' }), null);
  assert.equal(JSON.parse(store.listJson()).length, MAX_CATEGORIES);
});

test('a store that is too full for a long text still creates a short one', () => {
  const store = createCategoryStore();
  const name = 'x'.repeat(2 ** 22);
  const fits = Math.floor(MAX_LIST_LENGTH / name.length) - 1;
  for (let n = 0; n < fits; n += 1) assert.notEqual(store.create({ name }), null);
  assert.equal(store.create({ name }), null);
  assert.equal(store.create({ name: 'small' })?.id, BigInt(fits + 1));
});
