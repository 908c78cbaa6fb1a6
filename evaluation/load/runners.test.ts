import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import { keysByAlias } from '../../load/model/key-list.ts';
import type { ProfileInputs } from '../../load/model/profile.ts';
import { bundleScript } from '../../load/operator/manifests.ts';
import type { ProfileId } from '../../load/profiles/index.ts';
import { findProfile, PROFILE_IDS } from '../../load/profiles/index.ts';
import { judgeParts } from '../../load/run/judge-folder.ts';
import type { LoadJob } from '../../load/run/k6-command.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import { RUN_FILE, writeRunFile } from '../../load/run/run-file.ts';
import { inputVariables } from '../../load/script/environment.ts';
import { serveOverHttp } from '../../reference-server/http/server.ts';
import { createService, systemClock } from '../../reference-server/service/service.ts';
import type { Limits } from '../../spec/plans.ts';
import { JUDGING, runFileOf } from '../testing/load/runs.ts';
import { balance } from '../testing/tools/balancer.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { briefLimitsFor, judgedRecord, k6ProcessOf } from './real-load.ts';
import { runAsOperator } from './runners.ts';

const skip = withoutK6;
const REPLICAS = 2;
const FLEET = Array.from({ length: 6 }, (_, at) => `pk-fleet-${at + 1}-of-six`);
const [KEY = '', OTHER = ''] = FLEET;
const DISPOSABLE = 'pk-disposable-one';
const script = skip === false ? await bundleScript() : '';

const isFleet = (profile: ProfileId): boolean =>
  findProfile(profile)
    .scenarios({ limits: briefLimitsFor(profile), fleet: 2, minutes: 1 })
    .some(({ key }) => key.startsWith('fleet-'));

/** The windows of the replicas are longer than those of other tests: a request crosses a balancer. */
const limitsFor = (profile: ProfileId): Limits => {
  const brief = briefLimitsFor(profile);
  return { ...brief, minuteSeconds: Math.max(2, brief.minuteSeconds) };
};

/** Replicas of the service behind one address, which count together. */
async function deploy(
  t: TestContext,
  plans: Readonly<Record<string, Limits>>,
  free = FLEET,
  pro: readonly string[] = [],
) {
  const { minuteSeconds, daySeconds } = Object.values(plans)[0] ?? { minuteSeconds: 1, daySeconds: 1 };
  const keys = { free, pro, business: [], exhausted: [], disposable: [DISPOSABLE] };
  const service = createService({ plans: { minuteSeconds, daySeconds, plans }, keys, clock: systemClock });
  return balance(t, await Promise.all(Array.from({ length: REPLICAS }, () => serveOverHttp(service))));
}

/** A run of one process of k6, as `load` makes it. */
async function alone(t: TestContext, baseUrl: string, profile: ProfileId, inputs: ProfileInputs) {
  const keys = { key: KEY, other: OTHER, disposable: DISPOSABLE };
  const job: LoadJob = {
    ...{ baseUrl, profile: findProfile(profile), inputs, headers: [], tag: 'alone', outputs: [] },
    keys: keysByAlias(keys, isFleet(profile) ? FLEET : []),
    folder: temporaryFolder(t),
  };
  return judgedRecord(job, await runK6(job, k6ProcessOf()));
}

/** A run of several processes, as the operator makes it; judged from their parts. */
async function together(
  t: TestContext,
  baseUrl: string,
  {
    profile,
    inputs,
    runners,
    keysText,
  }: { profile: ProfileId; inputs: ProfileInputs; runners: number; keysText: string },
) {
  const folder = temporaryFolder(t);
  const keysFile = join(folder, 'keys.csv');
  writeFileSync(keysFile, keysText);
  const fleet = isFleet(profile);
  const { samples, stderr } = await runAsOperator({
    deployment: {
      profile,
      environment: {
        ...{ TARGET: baseUrl, PROFILE: profile, PLAN: 'free', ...inputVariables(inputs) },
      },
      secrets: {},
      ...(fleet ? { keysSecret: { name: 'petstore-keys', entry: 'keys.csv' } } : {}),
      ...{ runners, script, storage: { kind: 'claim', claim: 'samples' } },
    },
    secretValues: fleet
      ? {}
      : { PETSTORE_API_KEY: KEY, PETSTORE_OTHER_KEY: OTHER, PETSTORE_DISPOSABLE_KEY: DISPOSABLE },
    keysFile: fleet ? keysFile : undefined,
    folder,
  });
  for (const key of [KEY, OTHER, DISPOSABLE]) assert.ok(!stderr.includes(key));
  mkdirSync(join(folder, 'run'));
  writeRunFile(
    join(folder, 'run'),
    runFileOf({ profile, inputs, runners, target: { baseUrl, plan: 'free' } }),
  );
  const paths = [join(folder, 'run', RUN_FILE), samples];
  return { record: (await judgeParts(paths, JUDGING)).record, paths, folder };
}

const sentOf = ({ key, planned, sent }: LoadRecord['keys'][number]) => ({ key, planned, sent });

/** Runs again, twice at the most, where this machine sent late: that says nothing about runners. */
async function onSchedule(run: () => Promise<LoadRecord>): Promise<LoadRecord> {
  let record = await run();
  for (let again = 0; again < 2 && isLate(record); again += 1) record = await run();
  return record;
}

const isLate = ({ requirements: findings }: LoadRecord): boolean =>
  findings.some(({ because }) => /sent (?:requests|more than \d+ ms) late/.test(because));

const verdictsOf = ({ requirements: findings }: LoadRecord) =>
  findings.map(({ id, verdict }) => `${id} ${verdict}`);

describe('several runners, started as the operator starts them, against replicas that count together', {
  skip,
}, () => {
  for (const profile of PROFILE_IDS) {
    test(`${profile}: the joint verdict is that of one process`, async (t) => {
      const limits = limitsFor(profile);
      const inputs: ProfileInputs = { limits, fleet: isFleet(profile) ? FLEET.length : 1, minutes: 3 };
      const runners = Math.min(3, findProfile(profile).scenarios(inputs).length);
      const one = await onSchedule(async () => alone(t, await deploy(t, { free: limits }), profile, inputs));
      const joint = await onSchedule(async () => {
        const run = { profile, inputs, runners, keysText: FLEET.join('\n') };
        return (await together(t, await deploy(t, { free: limits }), run)).record;
      });
      const shown = JSON.stringify([joint.ended, joint.requirements, one.requirements], null, 1);
      assert.deepEqual(verdictsOf(joint), verdictsOf(one), shown);
      // How many are accepted beyond the limit depends on where the window ends.
      assert.deepEqual(joint.keys.map(sentOf), one.keys.map(sentOf), shown);
      assert.equal(joint.outcome, 'conforms', shown);
      assert.equal(joint.ended.how, 'finished');
    });
  }

  test('keys of two plans: each is judged by its own', async (t) => {
    const free: Limits = { perMinute: 20, perDay: 5000, minuteSeconds: 2, daySeconds: 86_400 };
    const pro: Limits = { ...free, perMinute: 60, perDay: 10_000 };
    const [first, second, third, ...others] = FLEET;
    const inputs: ProfileInputs = {
      ...{ limits: free, fleet: 6, minutes: 3 },
      fleetPlans: [
        { plan: 'free', limits: free, keys: 3 },
        { plan: 'pro', limits: pro, keys: 3 },
      ],
    };
    const mine = [first, second, third].flatMap((key) => key ?? []);
    const baseUrl = await deploy(t, { free, pro }, mine, others);
    const keysText = [
      'key,plan',
      ...mine.map((key) => `${key},free`),
      ...others.map((key) => `${key},pro`),
    ].join('\n');
    const { record } = await together(t, baseUrl, { profile: 'soak', inputs, runners: 2, keysText });
    assert.equal(record.outcome, 'conforms', JSON.stringify([record.ended, record.requirements], null, 1));
    assert.deepEqual(
      record.keys.map(({ sent }) => sent),
      [55, 55, 55, 163, 163, 163],
    );
  });
});
