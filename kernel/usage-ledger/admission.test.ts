import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import type { Limits } from '../../spec/plans.ts';
import { userFolder } from '../basics/user-files.ts';
import { hostObstacle, obstacleToFullDay, readAllowedHosts } from './admission.ts';
import type { StartingRun } from './ledger.ts';
import { GuardError, UsageLedger } from './ledger.ts';

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

const NOW = Date.UTC(2026, 10, 21, 8, 30);
const HOUR = 3_600_000;
const limits: Limits = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

function ledgerOf(t: TestContext): UsageLedger {
  const folder = temporaryFolder(t);
  return new UsageLedger(folder);
}

const run: StartingRun = {
  key: 'pk-Zx81aQm4Lw0vT9sRe3',
  origin: 'https://staging.example.com',
  command: 'certify',
  requests: 2559,
  until: NOW + HOUR,
};

const admitted = (ledger: UsageLedger, now = NOW) =>
  ledger.admit(run, (history) => obstacleToFullDay(history, { limits, ledger: ledger.folder }, now), now);

describe('a run that uses a whole day', () => {
  test('is admitted where nothing was used within the last day, and recorded', (t) => {
    const ledger = ledgerOf(t);
    ledger.enter({ ...run, requests: 62, until: NOW - 24 * HOUR }, NOW - 25 * HOUR);
    ledger.enter({ ...run, origin: 'https://other.example.com', until: NOW }, NOW);
    ledger.enter(run, NOW).settle(0, NOW);
    admitted(ledger).settle(1002, NOW);
    const { runs } = ledger.historyOf(run.key, run.origin);
    assert.deepEqual(
      runs.map(({ requests }) => requests),
      [62, 0, 1002],
    );
  });

  test('is not admitted after a single request, and uses nothing', (t) => {
    const ledger = ledgerOf(t);
    ledger.enter({ ...run, requests: 1, until: NOW - HOUR }, NOW - HOUR);
    assert.throws(() => admitted(ledger), {
      name: 'GuardError',
      message: `A run that uses the whole daily quota needs a key that was not used for a day, and the key sent 1 request to this target within the last day (ledger: ${ledger.folder}). It can start in 23 h 0 min (2026-11-22 07:30 UTC), or now with another key.`,
    });
    assert.equal(ledger.historyOf(run.key, run.origin).runs.at(-1)?.requests, 0);
  });

  test('is not admitted beside another one that has not ended', (t) => {
    const ledger = ledgerOf(t);
    admitted(ledger);
    assert.throws(() => admitted(ledger, NOW + 1), GuardError);
  });

  test('is not admitted where a line of the ledger cannot be read', (t) => {
    const ledger = ledgerOf(t);
    ledger.enter({ ...run, key: 'another' }, NOW);
    const [name = ''] = readdirSync(ledger.folder);
    appendFileSync(join(ledger.folder, name), '{"run":"half');
    assert.throws(() => admitted(ledger), /the ledger .* has 1 line that cannot be read/);
  });
});
