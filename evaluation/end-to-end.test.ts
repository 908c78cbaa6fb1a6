import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import type { RunRecord } from '../kernel/findings/record.ts';
import type { ServerOptions } from '../reference-server/http/server.ts';
import { serveOverHttp, startServer } from '../reference-server/http/server.ts';
import { algorithms } from '../reference-server/limiters/index.ts';
import type { Seams } from '../reference-server/seams.ts';
import type { DemoKeys } from '../reference-server/service/callers.ts';
import { headerValues } from '../reference-server/service/message.ts';
import { createService, systemClock } from '../reference-server/service/service.ts';
import type { Plans } from '../spec/plans.ts';
import type { Keys } from '../suites/service/wire/keyring.ts';
import { numbersTo, sampleOf } from '../tools/sample.ts';
import type { HttpRun } from './over-http.ts';
import { overHttp } from './over-http.ts';
import { forwardingTo, selfSigned, serveTls } from './testing/cli/target.ts';
import { balance } from './testing/tools/balancer.ts';
import { onBusyMachine, whyTooSlowOnly } from './testing/tools/busy-machine.ts';
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

/** A service of two processes that share a Redis is in third-party/services/redis. */
const REPLICAS = numbersTo(3);

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

const unlessBusy = onBusyMachine();

/** Runs with these plans, and on a machine that is too busy for their window with a longer one. */
const conforms = (
  t: TestContext,
  { minuteSeconds, ...plans }: Plans,
  certify: (plans: Plans) => Promise<{ readonly record: RunRecord }>,
): Promise<void> =>
  unlessBusy(t, async (again) => {
    const { record } = await certify({ ...plans, minuteSeconds: again ? 8 * minuteSeconds : minuteSeconds });
    const reason = whyTooSlowOnly(record);
    if (reason === undefined) assertConforms(record);
    return reason;
  });

/** What a target has in front of it, and what a run is given for that. */
interface Setting {
  readonly server?: Omit<ServerOptions, 'plans'>;
  readonly run?: Partial<HttpRun>;
  /** The path of its address before `/v1`. */
  readonly path?: string;
}

const conformsIn = (
  t: TestContext,
  window: Plans,
  { server: options = {}, run = {}, path = '' }: Setting = {},
): Promise<void> =>
  conforms(t, window, async (plans) => {
    const server = await startServer({ ...options, plans });
    t.after(() => server.close());
    const baseUrl = server.baseUrl.replace(/\/v1$/, `${path}/v1`);
    return overHttp({ baseUrl, plans, plan: 'examined', keys: keysOf(server.keys), ...run });
  });

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

// What stands in front of a service: the content of its responses stays the same.

/** The service below a path of its host, such as `/gateway/petstore`, and nothing beside it. */
const belowPath = (path: string): Seams => ({
  wrapService: (handle) => (request) =>
    handle({
      ...request,
      target: request.target.startsWith(`${path}/v1`) ? request.target.slice(path.length) : '/outside',
    }),
});

/** A gateway that answers 403 to every request without this header. */
const wantingHeader = (name: string, value: string): Seams => ({
  wrapService: (handle) => (request) => {
    const outcome = handle(request);
    const isAdmitted = outcome.kind === 'dropped' || headerValues(request, name)[0] === value;
    return isAdmitted ? outcome : { ...outcome, status: 403 };
  },
});

/** The longest come first, so that the others run at the same time. */
const rows: readonly (readonly [name: string, window: Plans, setting?: Setting])[] = [
  ['a target that answers after 200 ms', inWindow(36), { server: { seams: afterMilliseconds(200) } }],
  ['a plan of 1000 in 15 s', inWindow(15, 1000)],
  [
    'a target that lists 5,000 categories already',
    inWindow(12),
    { server: { seams: { wrapStore: withCategories(5000) } } },
  ],
  ['a plan of 300 in 6 s', inWindow(6, 300)],
  ['a limit of 5 in 2 s, one small window after another', inWindow(2, 5)],
  ...algorithms.map((algorithm) => [`limited by ${algorithm}`, PLANS, { server: { algorithm } }] as const),
  [
    'a target below a path of its host',
    PLANS,
    { server: { seams: belowPath('/gateway/petstore') }, path: '/gateway/petstore' },
  ],
  [
    'a target behind a gateway that wants a header',
    PLANS,
    {
      server: { seams: wantingHeader('X-Gateway-Token', 'gateway-token-000001') },
      run: { extraHeaders: [['X-Gateway-Token', 'gateway-token-000001']] },
    },
  ],
];

describe('the reference server conforms over HTTP', { concurrency: 4 }, () => {
  for (const [name, window, setting] of sampleOf(rows)) test(name, (t) => conformsIn(t, window, setting));

  test('a target on ::1', { skip: hasIpv6 ? false : 'this machine has no IPv6 loopback' }, (t) =>
    conformsIn(t, PLANS, { server: { host: '::1' } }),
  );

  test('a target over TLS, with a certificate authority of its own', async (t) => {
    const folder = temporaryFolder(t);
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, selfSigned.cert);
    await conforms(t, PLANS, async (plans) => {
      const server = await startServer({ plans });
      t.after(() => server.close());
      const baseUrl = `${await serveTls(t, forwardingTo(server.baseUrl))}/v1`;
      return overHttp({ baseUrl, plans, plan: 'examined', keys: keysOf(server.keys), caFile });
    });
  });

  test('three replicas behind one address that share counts and categories', (t) =>
    conforms(t, PLANS, async (plans) => {
      const service = createService({ plans, clock: systemClock });
      const baseUrl = await balance(t, await Promise.all(REPLICAS.map(() => serveOverHttp(service))));
      return overHttp({ baseUrl, plans, plan: 'examined', keys: keysOf(service.keys) });
    }));
});

test('replicas that share nothing never receive the outcome "conforms"', async (t) => {
  const replicas = await Promise.all(REPLICAS.map(() => startServer({ plans: PLANS })));
  const [first] = replicas;
  assert.ok(first !== undefined);
  const baseUrl = await balance(t, replicas);
  const { record } = await overHttp({ baseUrl, plans: PLANS, plan: 'examined', keys: keysOf(first.keys) });
  assert.notEqual(record.outcome, 'conforms');
  const list = record.requirements.find(({ id }) => id === 'LIST-3');
  assert.ok(list?.verdict === 'fail' || list?.verdict === 'warn', list?.because);
});
