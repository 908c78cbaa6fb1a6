import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { filesEndingIn } from '../tools/project-files.ts';
import { described, evaluations } from './evaluations.ts';
import { resultsText } from './study.ts';

const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
const evaluate = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'evaluation/main.ts', ...args], { env, encoding: 'utf8' });

test('without a name every evaluation is listed', () => {
  const { status, stdout } = evaluate();
  assert.equal(status, 0);
  for (const name of Object.keys(evaluations)) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
});

test('a name that does not exist is an error, with the list', () => {
  const { status, stdout, stderr } = evaluate('hostil');
  assert.equal(status, 2);
  assert.match(stderr, /There is no evaluation "hostil"\./);
  assert.match(stdout, /^ {2}hostile /m);
});

test('arguments go to the program of the evaluation', () => {
  const { status, stdout } = evaluate('clients', '--help');
  assert.equal(status, 0);
  assert.match(stdout, /^npm run evaluate -- clients \[/);
});

test('a name chooses the subjects of a study that have its words, and one that no subject has is an error', () => {
  const { status, stdout } = evaluate('client-simulation', 'linear offset', '--faulty', '5');
  assert.equal(status, 0);
  assert.match(stdout, /^linear delays from an offset: 0 false of 5; [^\n]+\n1 measured, 0 problems\.\n$/);
  const unknown = evaluate('client-simulation', 'quadratic');
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /^There is no quadratic\./);
});

test('every file of results has a line for each subject, as a study writes it', () => {
  for (const file of filesEndingIn(import.meta.dirname, 'results.json')) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    assert.equal(text, resultsText(JSON.parse(text)), file);
  }
});

test('every evaluation has a row in README.md, and a program and tests that exist', () => {
  for (const [name, { program }] of Object.entries(evaluations)) {
    assert.match(described(name) ?? '', /\w \(.*(?:minute|hour)/, name);
    const missing = program.filter((path) => !existsSync(path));
    assert.deepEqual(missing, []);
  }
});

test('every night has all of them', () => {
  const { jobs } = parse(readFileSync('.github/workflows/nightly.yml', 'utf8'));
  const run: readonly string[] = jobs.evaluate.strategy.matrix.evaluation;
  const names = run.map((one) => one.split(' ', 1)[0]);
  assert.deepEqual(names, Object.keys(evaluations));
});
