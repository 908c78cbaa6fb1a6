import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { evaluations } from './evaluations.ts';

const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
const evaluate = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'evaluation/main.ts', ...args], { env, encoding: 'utf8' });

test('without a name every evaluation is listed', () => {
  const { status, stdout } = evaluate();
  assert.equal(status, 0);
  for (const { name } of evaluations) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
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
