import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { testFiles } from './files.ts';
import { looksSlow, quickOf, SLOW_TESTS, slowOf } from './slow-tests.ts';

const files = testFiles('.', []);

test('every slow test that is listed exists', () => {
  const missing = SLOW_TESTS.filter((path) => !files.some((file) => `${file}/`.startsWith(`${path}/`)));
  assert.deepEqual(missing, [], 'it was moved or removed: correct tools/slow-tests.ts');
});

test('no quick test starts a process or needs a tool', () => {
  const wrong = quickOf(files).filter((file) => looksSlow(readFileSync(file, 'utf8')));
  assert.deepEqual(wrong, [], 'add it to tools/slow-tests.ts');
});

test('an import shows that a test is slow', () => {
  assert.ok(looksSlow("import { spawn } from 'node:child_process';"));
  assert.ok(looksSlow("import { k6Path } from '../evaluation/testing/tools/k6.ts';"));
  assert.ok(!looksSlow("import { readFileSync } from 'node:fs';"));
});

test('a test file is either quick or slow', () => {
  assert.deepEqual([...quickOf(files), ...slowOf(files)].sort(), files);
});

test('slow tests start in the order of the list, and a file in a listed folder only once', () => {
  const [first = '', second = ''] = SLOW_TESTS;
  const chosen = [`${second}/b.test.ts`, `${first}/c.test.ts`, `${first}/a.test.ts`, 'quick/d.test.ts'];
  assert.deepEqual(slowOf(chosen), [`${first}/c.test.ts`, `${first}/a.test.ts`, `${second}/b.test.ts`]);
  assert.deepEqual(quickOf(chosen), ['quick/d.test.ts']);
});
