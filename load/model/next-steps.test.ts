import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IDLE_CONNECTION, remedyFor } from './next-steps.ts';

for (const [reasons, remedy] of [
  [
    [`probably over a ${IDLE_CONNECTION}`],
    /^Find what drops idle connections.*, then run the profile again\.$/,
  ],
  [['Another client may be using this key.'], /^Use a key that no other client uses, then/],
  [['another client', 'this machine was too busy.'], /^Use a key that no other client uses; use a machine/],
  [['The run sent too little.'], /^Resolve them, then run the profile again\.$/],
] as const) {
  test(`what to do where a finding says: ${reasons.join(' ')}`, () =>
    assert.match(remedyFor(reasons), remedy));
}

test('a connection that was dropped is not said to have another client', () => {
  assert.doesNotMatch(remedyFor([`probably over a ${IDLE_CONNECTION}`]), /client/);
});
