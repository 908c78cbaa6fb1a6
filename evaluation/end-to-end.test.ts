import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import type { RunRecord } from '../kernel/findings/record.ts';
import { startServer } from '../reference-server/http/server.ts';
import { algorithms } from '../reference-server/limiters/index.ts';
import type { Seams } from '../reference-server/seams.ts';
import type { DemoKeys } from '../reference-server/service/callers.ts';
import type { ServiceOptions } from '../reference-server/service/service.ts';
import type { Plans } from '../spec/plans.ts';
import type { Keys } from '../suites/service/wire/keyring.ts';
import { numbersTo, sampleOf } from '../tools/sample.ts';
import type { NetworkShape } from './network-shapes.ts';
import { serveShaped } from './network-shapes.ts';
import type { HttpRun } from './over-http.ts';
import { overHttp } from './over-http.ts';

/** A window that is short enough for a test; `npm run bench` runs with a window of a minute. */
const inWindow = (minuteSeconds: number, perMinute = 60): Plans => ({
  minuteSeconds,
  daySeconds: 86_400,
  plans: {
    free: { perMinute: 60, perDay: 1000 },
    examined: { perMinute, perDay: 100 * perMinute },
  },
});

const PLANS = inWindow(4);

function keysOf(all: DemoKeys): Keys {
  const [key = '', other = ''] = all['examined'] ?? [];
  return { key, other, exhausted: all.exhausted[0] ?? '' };
}

const verdicts = ({ requirements }: RunRecord, verdict: string): readonly string[] =>
  requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);

const reasons = ({ requirements }: RunRecord): string =>
  requirements
    .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-tested')
    .map(({ id, verdict, because }) => `${id} ${verdict}: ${because}`)
    .join('\n');

/** No fail, no warning, nothing inconclusive, and a pass of every MUST that this run can test. */
function assertConforms(record: RunRecord): void {
  assert.equal(reasons(record), '');
  assert.equal(record.outcome, 'conforms');
  assert.ok(verdicts(record, 'pass').length >= 50, `only ${verdicts(record, 'pass').join(', ')} passed`);
}

/** How often a run is repeated where the machine is too slow for its window. */
const MOST_REPETITIONS = 2;

/**
 * Runs with these plans. A busy machine may need longer than a short window: then
 * the run repeats, each time with a window twice as long. A `fail` and a warning stand.
 */
async function repeatWhereSlow(
  plans: Plans,
  certify: (plans: Plans) => Promise<{ readonly record: RunRecord }>,
  isComplete = ({ outcome }: RunRecord): boolean => outcome !== 'incomplete',
): Promise<RunRecord> {
  let { record } = await certify(plans);
  for (let n = 1; n <= MOST_REPETITIONS && !isComplete(record); n += 1) {
    ({ record } = await certify({ ...plans, minuteSeconds: plans.minuteSeconds * 2 ** n }));
  }
  return record;
}

function certifyShaped(
  t: TestContext,
  shape: NetworkShape,
  run: Partial<HttpRun> = {},
  options: Partial<ServiceOptions> = {},
): Promise<RunRecord> {
  return repeatWhereSlow(run.plans ?? PLANS, async (plans) => {
    const server = await serveShaped(shape, { ...options, plans });
    t.after(() => server.close());
    const keys = keysOf(server.keys);
    return overHttp({ baseUrl: server.baseUrl, plan: 'examined', keys, ...run, plans });
  });
}

function certifyReference(
  t: TestContext,
  window: Plans,
  options: Partial<ServiceOptions> = {},
  isComplete?: (record: RunRecord) => boolean,
): Promise<RunRecord> {
  const certify = async (plans: Plans) => {
    const server = await startServer({ ...options, plans });
    t.after(() => server.close());
    return overHttp({ baseUrl: server.baseUrl, plans, plan: 'examined', keys: keysOf(server.keys) });
  };
  return repeatWhereSlow(window, certify, isComplete);
}

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

/** A certificate authority for this test and a certificate that it signed, or why there is none. */
function makeCertificates(folder: string): string | undefined {
  const openssl = (...args: readonly string[]) =>
    spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  const key = (name: string) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    name,
  ];
  const made = [
    openssl('req', '-x509', ...key('ca.key'), '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Proof CA'),
    openssl(
      'req',
      '-x509',
      ...key('server.key'),
      '-out',
      'server.pem',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-addext',
      'basicConstraints=critical,CA:FALSE',
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
    ),
  ];
  const failed = made.find(({ status }) => status !== 0);
  if (failed === undefined) return undefined;
  return `openssl made no certificate: ${failed.error?.message ?? failed.stderr}`;
}

const withCategories =
  (number: number): NonNullable<Seams['wrapStore']> =>
  (store) => {
    for (const i of numbersTo(number)) store.create({ name: `category ${i}` });
    return store;
  };

describe('the reference server conforms over HTTP', { concurrency: 4 }, () => {
  // The longest come first, so that the others run at the same time.
  const long: readonly (readonly [string, (t: TestContext) => Promise<RunRecord>])[] = [
    ['a limit of 5 in 2 s, one small window after another', (t) => certifyReference(t, inWindow(2, 5))],
    [
      'a target that answers after 200 ms',
      (t) => certifyShaped(t, { delayMs: 200 }, { plans: inWindow(36) }),
    ],
    [
      'a target that lists 50,000 categories already',
      (t) => certifyShaped(t, {}, { plans: inWindow(24) }, { seams: { wrapStore: withCategories(50_000) } }),
    ],
  ];
  for (const [name, certify] of sampleOf(long)) {
    test(name, async (t) => assertConforms(await certify(t)));
  }

  for (const algorithm of sampleOf(algorithms)) {
    test(`limited by ${algorithm}`, async (t) => {
      const record = await certifyReference(t, PLANS, { algorithm });
      assertConforms(record);
    });
  }

  for (const [perMinute, seconds] of sampleOf([
    [300, 6],
    [1000, 15],
  ] as const)) {
    test(`a plan of ${perMinute} in ${seconds} s`, async (t) => {
      const fewest = perMinute + 2;
      const plans = inWindow(seconds, perMinute);
      const record = await certifyReference(t, plans, {}, ({ requests }) => requests.keyed === fewest);
      assertConforms(record);
      assert.equal(record.requests.keyed, fewest);
    });
  }

  const shapes: readonly (readonly [string, NetworkShape, Partial<HttpRun>?])[] = [
    ['behind a base path', { basePath: '/gateway/petstore' }],
    ['that says Connection: close', { close: 'announced' }],
    ['that drops every connection after its answer', { close: 'silent' }],
    ['in chunks of 7 bytes', { chunkBytes: 7 }],
    ['with lower-case headers', { lowerCase: true }],
    [
      'behind a gateway that wants a header',
      { requiredHeader: ['X-Gateway-Token', 'gateway-token-000001'] },
      { extraHeaders: [['X-Gateway-Token', 'gateway-token-000001']] },
    ],
  ];
  for (const [name, shape, run] of sampleOf(shapes)) {
    test(`a target ${name}`, async (t) => {
      const record = await certifyShaped(t, shape, run);
      assertConforms(record);
    });
  }

  test('a target on ::1', { skip: hasIpv6 ? false : 'this machine has no IPv6 loopback' }, async (t) => {
    const record = await certifyShaped(t, { host: '::1' });
    assertConforms(record);
  });

  test('a target over TLS, with a certificate authority of its own', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-proof-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const missing = makeCertificates(folder);
    if (missing !== undefined) return t.skip(missing);
    const pem = (name: string) => readFileSync(join(folder, name), 'utf8');
    const tls = { key: pem('server.key'), cert: pem('server.pem') };
    const record = await certifyShaped(t, { tls }, { caFile: join(folder, 'ca.pem') });
    assertConforms(record);
  });
});
