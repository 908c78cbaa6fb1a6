import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProduct } from './product.ts';
import { UserError } from './user-error.ts';

const names = { name: '--product', vendor: '--vendor', version: '--v', configuration: '--c' };

test('a product has the parts that were stated, trimmed', () => {
  const given = { name: ' Pets ', vendor: 'Example Ltd', version: undefined };
  assert.deepEqual(readProduct(given, names), { name: 'Pets', vendor: 'Example Ltd' });
  assert.equal(readProduct({}, names), undefined);
});

test('a part that a first page cannot show is an error that names its option', () => {
  for (const vendor of ['', '  ', 'two\nlines', 'x'.repeat(101), 'half \ud800'])
    assert.throws(
      () => readProduct({ vendor }, names),
      (error) => error instanceof UserError && error.message.startsWith('--vendor takes'),
    );
});
