import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LIMITS } from '../../evaluation/testing/load/runs.ts';
import { TREND_STATS } from '../k6/find.ts';
import { findProfile } from '../profiles/index.ts';
import { assignmentOf } from '../script/environment.ts';
import type { LoadJob } from './k6-command.ts';
import { k6Arguments, k6Environment } from './k6-command.ts';

const job: LoadJob = {
  baseUrl: 'http://127.0.0.1:8080/v1',
  profile: findProfile('isolation'),
  inputs: { limits: LIMITS, fleet: 1, minutes: 2, exclusiveKeys: true },
  keys: { key: 'pk-one', other: 'pk-two' },
  headers: [
    ['X-Tenant', 'a: b'],
    ['X-Gate', 'secret'],
  ],
  tag: 'tag',
  folder: 'run',
  outputs: [],
};

const unread = (path: string): never => assert.fail(`${path} is read`);

describe('the environment of k6', () => {
  const fleet = { 'fleet-1': 'pk-one', 'fleet-2': 'pk-three', 'fleet-3': 'pk-four' };
  const certificate = { cert: 'CERT', key: 'PRIVATE' };
  const [offender, spike] = [findProfile('offender'), findProfile('spike')];
  const jobs: Readonly<Record<string, Partial<LoadJob>>> = {
    'two keys and headers of a gateway': {},
    'a disposable key': { profile: offender, keys: { ...job.keys, disposable: 'pk-lost' } },
    'a client certificate, and no header': { headers: [], clientCertificate: certificate },
    'a fleet': { profile: spike, inputs: { ...job.inputs, fleet: 3 }, keys: { key: 'pk-one', ...fleet } },
  };
  for (const [name, changed] of Object.entries(jobs)) {
    test(`${name}: the script reads what was given`, () => {
      const given = { ...job, ...changed };
      const { baseUrl, profile, inputs, keys, headers, clientCertificate } = given;
      const read = assignmentOf(k6Environment(given, {}), unread);
      assert.deepEqual(
        [read.target, read.profile, read.inputs.limits, read.inputs.fleet],
        [baseUrl, profile, inputs.limits, inputs.fleet],
      );
      for (const [alias, key] of Object.entries(keys)) assert.equal(Object(read.keys)[alias], key, alias);
      assert.deepEqual([read.headers, read.clientCertificate], [headers, clientCertificate]);
    });
  }

  for (const [name, changed, env, variable, value] of [
    ['a variable of the machine is passed on', {}, { HTTPS_PROXY: 'http://p' }, 'HTTPS_PROXY', 'http://p'],
    ['no other one is', {}, { GITHUB_TOKEN: 'secret' }, 'GITHUB_TOKEN', undefined],
    ['what the run sets comes first', {}, { PROFILE: 'soak' }, 'PROFILE', 'isolation'],
    ['nor what changes the run', { outputs: ['csv'] }, { K6_VUS: '9' }, 'K6_VUS', undefined],
    ['nor what configures an output that is not used', {}, { K6_CSV_FILE: 'x' }, 'K6_CSV_FILE', undefined],
    ['what configures one that is used', { outputs: ['csv'] }, { K6_CSV_FILE: 'x' }, 'K6_CSV_FILE', 'x'],
    ['the certificate authorities of the user', {}, { SSL_CERT_FILE: 'own' }, 'SSL_CERT_FILE', 'own'],
    ['those of the job first', { caFile: 'ca.pem' }, { SSL_CERT_FILE: 'own' }, 'SSL_CERT_FILE', 'ca.pem'],
    [
      'for Prometheus the statistics of the panels, and the wanted ones',
      { outputs: ['experimental-prometheus-rw'] },
      { K6_PROMETHEUS_RW_TREND_STATS: 'max,avg' },
      'K6_PROMETHEUS_RW_TREND_STATS',
      `${TREND_STATS},avg`,
    ],
    ['without a port no dashboard is served', {}, {}, 'K6_WEB_DASHBOARD_PORT', '-1'],
    ['a dashboard on its port', { dashboardPort: 5665 }, {}, 'K6_WEB_DASHBOARD_PORT', '5665'],
    [
      'a file of keys in place of a fleet',
      { keysFile: { path: 'keys.txt', plan: 'free' } },
      {},
      'PETSTORE_KEYS_FILE',
      'keys.txt',
    ],
  ] as const)
    test(name, () => assert.equal(k6Environment({ ...job, ...changed }, env)[variable], value));
});

test('no argument of k6 has a key or a header', () => {
  const given = k6Arguments({ ...job, outputs: ['csv=points.csv'] }).join(' ');
  assert.doesNotMatch(given, /pk-|secret/);
  assert.match(given, /--out=csv=points\.csv/);
});
