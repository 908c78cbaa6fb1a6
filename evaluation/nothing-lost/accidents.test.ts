import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { accidents } from './accidents.ts';

test('every accident has tests', () => {
  const folder = new URL('.', import.meta.url);
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const tested = texts.flatMap((text) =>
    [...text.matchAll(/^describeAccident\('([^']+)'/gm)].map(([, id]) => id),
  );
  assert.deepEqual(tested.sort(), Object.keys(accidents).sort());
});
