import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { evaluations } from './evaluations.ts';

test('every evaluation has a name of its own, a program and tests that exist', () => {
  assert.equal(new Set(evaluations.map(({ name }) => name)).size, evaluations.length);
  const missing = evaluations.flatMap(({ program }) => program.filter((path) => !existsSync(path)));
  assert.deepEqual(missing, []);
});

test('every night has all of them', () => {
  const { jobs } = parse(readFileSync('.github/workflows/nightly.yml', 'utf8'));
  const run: readonly string[] = jobs.evaluate.strategy.matrix.evaluation;
  assert.deepEqual(
    run.map((one) => one.split(' ', 1)[0]),
    evaluations.map(({ name }) => name),
  );
});
