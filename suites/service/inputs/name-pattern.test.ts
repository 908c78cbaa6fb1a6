import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameForms } from '../probes/category-names.ts';
import { readNamePattern } from './name-pattern.ts';

const written = (pattern: string): string =>
  nameForms({ tag: 'abc', namePattern: readNamePattern(pattern, '--name-pattern') })[0]?.write('full') ?? '';

test('a pattern is a name with one placeholder', () => {
  assert.match(written('Category {id}'), /^Category [a-z]{6}$/);
  assert.match(written('CAT-{number}'), /^CAT-[0-9]{8}$/);
  assert.match(written('{ID}'), /^[A-Z]{6}$/);
});

test('anything else is answered with one sentence', () => {
  const wrong = [
    '',
    'Category',
    '{id}{id}',
    '{id} {ID}',
    '{Id}',
    '"{id}"',
    '\\{id}',
    '{id} ',
    'é{id}',
    `${'x'.repeat(60)}{id}`,
  ];
  for (const pattern of wrong) {
    assert.throws(
      () => readNamePattern(pattern, '--name-pattern'),
      /^UserError: --name-pattern takes a name/,
    );
  }
});
