import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { register } from '../../../spec/register.ts';
import { observables, requirements } from './index.ts';

const judged = register.filter((one) => one.judged === 'by certify');

test('every id that certify judges has exactly one judge, and no judge is without an id', () => {
  const ids = [...requirements, ...observables].map(({ id }) => id);
  assert.deepEqual([...ids].sort(), judged.map(({ id }) => id).sort());
});

test('every chapter has its table of verdicts', () => {
  const chapters = new Set(judged.map(({ chapter }) => chapter));
  for (const chapter of chapters) {
    const file =
      chapter === 'Category and Error schemas'
        ? 'schemas'
        : chapter.toLowerCase().replace(' a ', ' ').replaceAll(' ', '-');
    assert.ok(existsSync(new URL(`./${file}.test.ts`, import.meta.url)), `${chapter} has no ${file}.test.ts`);
  }
});
