import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { userFolder } from './user-files.ts';

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
