import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserError } from './errors.ts';
import { readProduct } from './product.ts';

test('a product has the parts that were stated, trimmed', () => {
  const given = { name: ' Pets ', vendor: 'Example Ltd' };
  assert.deepEqual(readProduct(given), { name: 'Pets', vendor: 'Example Ltd' });
  assert.equal(readProduct({}), undefined);
});

test('a part that a first page cannot show is an error that names it', () => {
  for (const vendor of ['', '  ', 'two\nlines', 'x'.repeat(101), 'half \ud800'])
    assert.throws(
      () => readProduct({ vendor }),
      (error) => error instanceof UserError && error.message.startsWith('product.vendor takes'),
    );
});
