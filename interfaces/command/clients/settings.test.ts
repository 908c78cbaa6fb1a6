import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settleClient } from './settings.ts';

test('on Windows, which has no process groups, certify-client says so before it starts anything', (t) => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  t.after(() => Object.defineProperty(process, 'platform', platform));
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
  assert.throws(() => settleClient({} as Parameters<typeof settleClient>[0], ['node', 'a.js'], new Date()), {
    name: 'UserError',
    message: /Windows does not have: run it in WSL or in a container/,
  });
});
