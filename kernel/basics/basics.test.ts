import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UserError } from './errors.ts';
import { readProduct } from './product.ts';
import { userFolder } from './user-files.ts';

test('a product has the parts that were stated, trimmed', () => {
  const given = { name: ' Pets ', vendor: 'Example Ltd' };
  assert.deepEqual(readProduct(given), { name: 'Pets', vendor: 'Example Ltd' });
  assert.equal(readProduct({}), undefined);
});

test('a part that a first page cannot show is an error that names it', () => {
  for (const vendor of ['', '  ', 'two\nlines', 'x'.repeat(101), 'half \ud800'])
    assert.throws(
      () => readProduct({ vendor }),
      (error) => error instanceof UserError && error.message.startsWith('product.vendor takes'),
    );
});

describe('the folders of a user', () => {
  const name = 'petstore-conformance';
  const rows = [
    ['config', 'linux', {}, ['/h', '.config', name]],
    ['state', 'linux', {}, ['/h', '.local', 'state', name]],
    ['cache', 'linux', {}, ['/h', '.cache', name]],
    ['state', 'linux', { XDG_STATE_HOME: '/s' }, ['/s', name]],
    ['state', 'linux', { XDG_STATE_HOME: 'relative' }, ['/h', '.local', 'state', name]],
    ['config', 'linux', { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }, ['/c', name]],
    ['state', 'darwin', {}, ['/h', 'Library', 'Application Support', name]],
    ['cache', 'darwin', {}, ['/h', 'Library', 'Caches', name]],
    ['config', 'win32', { APPDATA: '/roaming', LOCALAPPDATA: '/local' }, ['/roaming', name]],
    ['state', 'win32', { APPDATA: '/roaming', LOCALAPPDATA: '/local' }, ['/local', name]],
    ['config', 'win32', {}, ['/h', 'AppData', 'Roaming', name]],
  ] as const;
  for (const [use, platform, env, path] of rows) {
    test(`${use} on ${platform} with ${JSON.stringify(env)}`, () => {
      assert.equal(userFolder(use, { env, platform, home: '/h' }), join(...path));
    });
  }
});
