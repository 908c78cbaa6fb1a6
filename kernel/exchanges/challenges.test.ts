import assert from 'node:assert/strict';
import { test } from 'node:test';
import { challengeSchemes } from './challenges.ts';

for (const [field, schemes] of [
  ['Bearer', ['bearer']],
  ['bearer realm="a, Basic b"', ['bearer']],
  ['Basic realm=x, Bearer', ['basic', 'bearer']],
  ['Newauth realm="apps", type=1, title="Login to \\"apps\\"", Basic realm="simple"', ['newauth', 'basic']],
  [', Bearer error = "x"', ['bearer']],
  ['Negotiate YWJj==, Basic realm="x"', ['negotiate', 'basic']],
  ['realm="x"', []],
  ['', []],
  ['The API key is not valid.', []],
  ['"Bearer"', []],
  ['Basic realm="Bearer', []],
] as const) {
  test(`the challenges of ${JSON.stringify(field)}`, () =>
    assert.deepEqual(challengeSchemes(field), schemes));
}
