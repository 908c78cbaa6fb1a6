import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import type { RunRecord } from '../kernel/findings/record.ts';
import type { ServerOptions } from '../reference-server/http/server.ts';
import { startServer } from '../reference-server/http/server.ts';
import { algorithms } from '../reference-server/limiters/index.ts';
import type { Seams } from '../reference-server/seams.ts';
import type { DemoKeys } from '../reference-server/service/callers.ts';
import type { Plans } from '../spec/plans.ts';
import type { Keys } from '../suites/service/wire/keyring.ts';
import { numbersTo, sampleOf } from '../tools/sample.ts';
import { belowPath, wantingHeader } from './gateways.ts';
import type { HttpRun } from './over-http.ts';
import { overHttp } from './over-http.ts';
import { forwardingTo, selfSigned, serveTls } from './testing/cli/target.ts';
import { temporaryFolder } from './testing/tools/folder.ts';
import { idsWith, reasonsOf } from './testing/verdicts.ts';

// Other transports that conform are variants of the catalogue, which variants.test.ts runs over sockets.

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

/** No fail, no warning, nothing inconclusive, and a pass of every MUST that this run can test. */
function assertConforms(record: RunRecord): void {
  assert.deepEqual(reasonsOf(record, 'fail', 'warn', 'inconclusive'), []);
  assert.equal(record.outcome, 'conforms');
  assert.ok(idsWith(record, 'pass').length >= 50, `only ${idsWith(record, 'pass').join(', ')} passed`);
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

/** What a target has in front of it, and what a run is given for that. */
interface Setting {
  readonly server?: Omit<ServerOptions, 'plans'>;
  readonly run?: Partial<HttpRun>;
  /** The path of its address before `/v1`. */
  readonly path?: string;
}

function certify(
  t: TestContext,
  window: Plans,
  { server: options = {}, run = {}, path = '' }: Setting = {},
  isComplete?: (record: RunRecord) => boolean,
): Promise<RunRecord> {
  const once = async (plans: Plans) => {
    const server = await startServer({ ...options, plans });
    t.after(() => server.close());
    const baseUrl = server.baseUrl.replace(/\/v1$/, `${path}/v1`);
    return overHttp({ baseUrl, plans, plan: 'examined', keys: keysOf(server.keys), ...run });
  };
  return repeatWhereSlow(window, once, isComplete);
}

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

const afterMilliseconds = (delayMs: number): Seams => ({
  wrapService: (handle) => (request) => ({ ...handle(request), delayMs }),
});

const withCategories =
  (number: number): NonNullable<Seams['wrapStore']> =>
  (store) => {
    for (const i of numbersTo(number)) store.create({ name: `category ${i}` });
    return store;
  };

describe('the reference server conforms over HTTP', { concurrency: 4 }, () => {
  // The longest come first, so that the others run at the same time.
  const long: readonly (readonly [name: string, window: Plans, seams?: Seams])[] = [
    ['a limit of 5 in 2 s, one small window after another', inWindow(2, 5)],
    ['a target that answers after 200 ms', inWindow(36), afterMilliseconds(200)],
    ['a target that lists 50,000 categories already', inWindow(24), { wrapStore: withCategories(50_000) }],
  ];
  for (const [name, window, seams = {}] of sampleOf(long)) {
    test(name, async (t) => assertConforms(await certify(t, window, { server: { seams } })));
  }

  for (const algorithm of sampleOf(algorithms)) {
    test(`limited by ${algorithm}`, async (t) =>
      assertConforms(await certify(t, PLANS, { server: { algorithm } })));
  }

  for (const [perMinute, seconds] of sampleOf([
    [300, 6],
    [1000, 15],
  ] as const)) {
    test(`a plan of ${perMinute} in ${seconds} s`, async (t) => {
      const fewest = perMinute + 2;
      const isComplete = ({ requests }: RunRecord): boolean => requests.keyed === fewest;
      const record = await certify(t, inWindow(seconds, perMinute), {}, isComplete);
      assertConforms(record);
      assert.equal(record.requests.keyed, fewest);
    });
  }

  const gateways: readonly (readonly [name: string, setting: Setting])[] = [
    [
      'below a path of its host',
      { server: { seams: belowPath('/gateway/petstore') }, path: '/gateway/petstore' },
    ],
    [
      'behind a gateway that wants a header',
      {
        server: { seams: wantingHeader('X-Gateway-Token', 'gateway-token-000001') },
        run: { extraHeaders: [['X-Gateway-Token', 'gateway-token-000001']] },
      },
    ],
  ];
  for (const [name, setting] of sampleOf(gateways)) {
    test(`a target ${name}`, async (t) => assertConforms(await certify(t, PLANS, setting)));
  }

  test('a target on ::1', { skip: hasIpv6 ? false : 'this machine has no IPv6 loopback' }, async (t) => {
    assertConforms(await certify(t, PLANS, { server: { host: '::1' } }));
  });

  test('a target over TLS, with a certificate authority of its own', async (t) => {
    const folder = temporaryFolder(t);
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, selfSigned.cert);
    const record = await repeatWhereSlow(PLANS, async (plans) => {
      const server = await startServer({ plans });
      t.after(() => server.close());
      const baseUrl = `${await serveTls(t, forwardingTo(server.baseUrl))}/v1`;
      return overHttp({ baseUrl, plans, plan: 'examined', keys: keysOf(server.keys), caFile });
    });
    assertConforms(record);
  });
});
