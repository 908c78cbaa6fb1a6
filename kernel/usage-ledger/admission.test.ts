import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { userFolder } from '../basics/user-files.ts';
import { hostObstacle, readAllowedHosts } from './admission.ts';

const HOST = 'staging.example.com';
const allowed = (fromOption: readonly string[], hosts: readonly string[] = []) => ({
  fromOption,
  fromFile: { path: 'load.json', hosts },
});

describe('a host may be loaded', () => {
  const rows: readonly [option: readonly string[], hosts: readonly string[], ok: boolean][] = [
    [[HOST], [], true],
    [['STAGING.example.com'], [], true],
    [[], ['other.example.com', HOST], true],
    [[], [], false],
    [[], ['example.com', '*.example.com', 'staging.example.com.evil.test'], false],
    [['example.com'], [], false],
    [[`${HOST}.`], [], false],
    [['other.example.com'], [HOST], false],
  ];
  for (const [option, hosts, ok] of rows) {
    test(`option ${option.join() || 'nothing'}, file ${hosts.join() || 'nothing'}: ${ok ? 'yes' : 'no'}`, () => {
      assert.equal(hostObstacle(HOST, allowed(option, hosts)) === undefined, ok);
    });
  }

  test('the error says what to do', () => {
    assert.equal(
      hostObstacle(HOST, allowed([])),
      'Load on staging.example.com is not confirmed: make sure that you are authorized to load this host, then add --allow-host staging.example.com for this run, or write {"allowedHosts": ["staging.example.com"]} into load.json for every run.',
    );
  });
});

describe('the configuration file', () => {
  const read = (t: { after(done: () => void): void }, text: string | undefined) => {
    const home = temporaryFolder(t);
    const place = { env: { XDG_CONFIG_HOME: home }, platform: 'linux', home };
    const folder = userFolder('config', place);
    if (text !== undefined) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'load.json'), text);
    }
    return readAllowedHosts(place);
  };

  test('may be missing', (t) => assert.deepEqual(read(t, undefined).hosts, []));

  test('lists hosts', (t) => {
    assert.deepEqual(read(t, `\uFEFF{"allowedHosts": ["${HOST}", "[fd00::1]"]}`).hosts, [HOST, '[fd00::1]']);
  });

  for (const text of [
    '',
    '[]',
    'null',
    '{"allowedhosts": []}',
    '{"allowedHosts": "x"}',
    '{"allowedHosts": [1]}',
    '{"allowedHosts": [], "x": 1}',
  ]) {
    test(`rejects ${text || 'an empty file'}`, (t) => {
      assert.throws(() => read(t, text), /^GuardError: .*load\.json must have the form/);
    });
  }

  for (const host of ['*', '*.example.com', 'https://example.com', 'example.com:8443', '']) {
    test(`rejects the host "${host}"`, (t) => {
      assert.throws(() => read(t, JSON.stringify({ allowedHosts: [host] })), /is not a host name/);
    });
  }
});
