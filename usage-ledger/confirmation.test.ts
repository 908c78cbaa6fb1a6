import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { userFolder } from '../load/user-folders.ts';
import { confirmHost, readConfiguration } from './confirmation.ts';
import { GuardError } from './guard-error.ts';

const HOST = 'staging.example.com';
const confirmation = (named: readonly string[], hosts: readonly string[] = []) => ({
  named,
  configured: { path: 'load.json', hosts },
});

describe('a host may be loaded', () => {
  const rows: readonly [named: readonly string[], hosts: readonly string[], ok: boolean][] = [
    [[HOST], [], true],
    [['STAGING.example.com'], [], true],
    [[], ['other.example.com', HOST], true],
    [[], [], false],
    [[], ['example.com', '*.example.com', 'staging.example.com.evil.test'], false],
    [['example.com'], [], false],
    [[`${HOST}.`], [], false],
    [['other.example.com'], [HOST], false],
  ];
  for (const [named, hosts, ok] of rows) {
    test(`named ${named.join() || 'nothing'}, configured ${hosts.join() || 'nothing'}: ${ok ? 'yes' : 'no'}`, () => {
      const send = (): void => confirmHost(HOST, confirmation(named, hosts));
      if (ok) send();
      else assert.throws(send, GuardError);
    });
  }

  test('the refusal says what to do', () => {
    assert.throws(() => confirmHost(HOST, confirmation([])), {
      message:
        'Nobody has said that staging.example.com may be loaded: ask who shares it, then add --i-may-load staging.example.com for this run, or write {"mayLoad": ["staging.example.com"]} into load.json for every run.',
    });
  });
});

describe('the configuration file', () => {
  const read = (t: { after(done: () => void): void }, text: string | undefined) => {
    const home = mkdtempSync(join(tmpdir(), 'petstore-config-'));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const place = { env: { XDG_CONFIG_HOME: home }, platform: 'linux', home };
    const folder = userFolder('config', place);
    if (text !== undefined) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'load.json'), text);
    }
    return readConfiguration(place);
  };

  test('need not exist', (t) => assert.deepEqual(read(t, undefined).hosts, []));

  test('lists hosts', (t) => {
    assert.deepEqual(read(t, `\uFEFF{"mayLoad": ["${HOST}", "[fd00::1]"]}`).hosts, [HOST, '[fd00::1]']);
  });

  for (const text of [
    '',
    '[]',
    'null',
    '{"mayload": []}',
    '{"mayLoad": "x"}',
    '{"mayLoad": [1]}',
    '{"mayLoad": [], "x": 1}',
  ]) {
    test(`refuses ${text || 'an empty file'}`, (t) => {
      assert.throws(() => read(t, text), /^GuardError: .*load\.json is not what it should be/);
    });
  }

  for (const host of ['*', '*.example.com', 'https://example.com', 'example.com:8443', '']) {
    test(`refuses the host "${host}"`, (t) => {
      assert.throws(() => read(t, JSON.stringify({ mayLoad: [host] })), /is no host/);
    });
  }
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
