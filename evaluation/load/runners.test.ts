import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import type { ProfileInputs } from '../../load/model/profile.ts';
import { bundleScript, operatorManifests } from '../../load/operator/manifests.ts';
import { previewProfile } from '../../load/preview.ts';
import type { ProfileId } from '../../load/profiles/index.ts';
import { findProfile, PROFILE_IDS } from '../../load/profiles/index.ts';
import { judgeParts } from '../../load/run/judge-folder.ts';
import { RUN_FILE, writeRunFile } from '../../load/run/run-file.ts';
import { inputVariables } from '../../load/script/environment.ts';
import { serveOverHttp } from '../../reference-server/http/server.ts';
import { createService, systemClock } from '../../reference-server/service/service.ts';
import type { Limits } from '../../spec/plans.ts';
import { JUDGING, runFileOf } from '../testing/load/runs.ts';
import { balance } from '../testing/tools/balancer.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import { k6Path, withoutK6 } from '../testing/tools/k6.ts';
import { freePort } from '../testing/tools/listening.ts';
import { briefLimitsFor } from './real-load.ts';

const REPLICAS = 2;
const FLEET = Array.from({ length: 6 }, (_, at) => `pk-fleet-${at + 1}-of-six`);
const [KEY = '', OTHER = ''] = FLEET;
const DISPOSABLE = 'pk-disposable-one';
const script = withoutK6 === false ? await bundleScript() : '';

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

interface Run {
  readonly profile: ProfileId;
  readonly inputs: ProfileInputs;
  readonly runners: number;
  readonly keysText: string;
}

/** A run of several processes, as the operator makes it; judged from their parts. */
async function together(t: TestContext, baseUrl: string, run: Run): Promise<LoadRecord> {
  const { profile, inputs, runners, keysText } = run;
  const folder = temporaryFolder(t);
  const keysFile = join(folder, 'keys.csv');
  writeFileSync(keysFile, keysText);
  const variables = { TARGET: baseUrl, PROFILE: profile, PLAN: 'free', ...inputVariables(inputs) };
  const fleet = isFleet(profile);
  const [, manifest] = operatorManifests({
    ...{ profile, environment: variables, secrets: {}, runners, script },
    ...(fleet ? { keysSecret: { name: 'petstore-keys', entry: 'keys.csv' } } : {}),
    storage: { kind: 'claim', claim: 'samples' },
  });
  const { spec } = manifest as unknown as { readonly spec: RunnerSpec };
  const stderr = await runAsOperator(spec, {
    folder,
    secrets: fleet
      ? { PETSTORE_KEYS_FILE: keysFile }
      : { PETSTORE_API_KEY: KEY, PETSTORE_OTHER_KEY: OTHER, PETSTORE_DISPOSABLE_KEY: DISPOSABLE },
  });
  for (const key of [KEY, OTHER, DISPOSABLE]) assert.ok(!stderr.includes(key));
  const runFolder = join(folder, 'run');
  mkdirSync(runFolder);
  writeRunFile(runFolder, runFileOf({ profile, inputs, runners, target: { baseUrl, plan: 'free' } }));
  return (await judgeParts([join(runFolder, RUN_FILE), join(folder, 'samples')], JUDGING)).record;
}

/** What the operator takes from a TestRun. */
interface RunnerSpec {
  readonly parallelism: number;
  readonly arguments: string;
  readonly runner: { readonly env: readonly { readonly name: string; readonly value?: string }[] };
}

/** What is on this machine in the place of a cluster. */
interface Machine {
  /** Each runner has a folder of its own in `samples` here. */
  readonly folder: string;
  /** What the Secrets put into the environment. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** One runner that waits for its start. */
type Runner = Awaited<ReturnType<typeof startPaused>>;

/**
 * Runs the runners of a TestRun as the k6 operator does (v1.5.0: pkg/segmentation, pkg/resources): each is paused with
 * its execution segment, and then all are started one after the other through the REST API of k6.
 * @returns what k6 wrote to standard error.
 */
async function runAsOperator(spec: RunnerSpec, machine: Machine): Promise<string> {
  writeFileSync(join(machine.folder, 'script.js'), script);
  const runners = await Promise.all(
    Array.from({ length: spec.parallelism }, (_, at) => startPaused(at + 1, spec, machine)),
  );
  try {
    await Promise.all(runners.map(awaitApi));
    for (const runner of runners) await startThroughApi(runner);
    await Promise.all(runners.map(({ closed }) => closed));
  } finally {
    for (const { child } of runners) if (child.exitCode === null) child.kill('SIGKILL');
  }
  return runners.map(({ stderr }) => stderr()).join('');
}

/** The arguments of a runner for its part of the run; the operator leaves them out for a single one. */
function segmentArguments(index: number, total: number): readonly string[] {
  if (total === 1) return [];
  const point = (at: number): string => (at % total === 0 ? String(at / total) : `${at}/${total}`);
  const sequence = Array.from({ length: total + 1 }, (_, at) => point(at)).join(',');
  return [
    `--execution-segment=${point(index - 1)}:${point(index)}`,
    `--execution-segment-sequence=${sequence}`,
  ];
}

async function startPaused(index: number, spec: RunnerSpec, { folder, secrets }: Machine) {
  const samples = join(folder, 'samples', `petstore-load-${index}`);
  mkdirSync(samples, { recursive: true });
  const address = `127.0.0.1:${await freePort()}`;
  const args = [
    ...['run', '--quiet', ...segmentArguments(index, spec.parallelism)],
    ...spec.arguments.replaceAll('/samples/', `${samples}/`).split(' '),
    ...[join(folder, 'script.js'), `--address=${address}`, '--paused', '--tag', `instance_id=${index}`],
  ];
  const variables = spec.runner.env.flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value]],
  );
  const child = spawn(k6Path, args, {
    env: { PATH: process.env['PATH'] ?? '', ...Object.fromEntries(variables), ...secrets },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    stderr = (stderr + piece).slice(0, 20_000);
  });
  return { child, api: `http://${address}/v1/status`, closed: once(child, 'close'), stderr: () => stderr };
}

const API_TRIES = 600;

/** Waits as the operator does, until every runner responds. */
async function awaitApi({ api, child, stderr }: Runner): Promise<void> {
  for (let tries = 0; tries < API_TRIES; tries += 1) {
    if (child.exitCode !== null) throw new Error(`k6 ended before it was started: ${stderr()}`);
    const responds = await fetch(api).then(
      ({ ok }) => ok,
      () => false,
    );
    if (responds) return;
    await delay(100);
  }
  throw new Error('k6 does not respond.');
}

async function startThroughApi({ api }: Runner): Promise<void> {
  const response = await fetch(api, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      data: { attributes: { paused: false, stopped: false }, id: 'default', type: 'status' },
    }),
  });
  if (!response.ok) throw new Error(`k6 answered ${response.status} to its start.`);
}

/** Runs again, twice at the most, where this machine sent late: that says nothing about runners. */
async function onSchedule(run: () => Promise<LoadRecord>): Promise<LoadRecord> {
  let record = await run();
  for (let again = 0; again < 2 && isLate(record); again += 1) record = await run();
  return record;
}

const isLate = ({ requirements: findings }: LoadRecord): boolean =>
  findings.some(({ because }) => /sent (?:requests|more than \d+ ms) late/.test(because));

describe('several runners, started as the operator starts them, against replicas that count together', {
  skip: withoutK6,
}, () => {
  for (const profile of PROFILE_IDS) {
    test(`${profile}: they send exactly the previewed requests, and pass`, async (t) => {
      const limits = limitsFor(profile);
      const inputs: ProfileInputs = { limits, fleet: isFleet(profile) ? FLEET.length : 1, minutes: 3 };
      const { keys } = previewProfile(findProfile(profile), inputs);
      const run = { profile, inputs, runners: Math.min(3, keys.length), keysText: FLEET.join('\n') };
      const record = await onSchedule(async () => together(t, await deploy(t, { free: limits }), run));
      const shown = JSON.stringify([record.ended, record.requirements], null, 1);
      assert.equal(record.outcome, 'conforms', shown);
      assert.equal(record.ended.how, 'finished');
      assert.deepEqual(
        record.keys.map(({ key, sent }) => [key, sent]),
        keys.map(({ key, requests }) => [key, requests]),
      );
    });
  }

  test('keys of two plans: each is judged by its own', async (t) => {
    const free: Limits = { perMinute: 20, perDay: 5000, minuteSeconds: 2, daySeconds: 86_400 };
    const pro: Limits = { ...free, perMinute: 60, perDay: 10_000 };
    const [mine, others] = [FLEET.slice(0, 3), FLEET.slice(3)];
    const inputs: ProfileInputs = {
      ...{ limits: free, fleet: 6, minutes: 3 },
      fleetPlans: [
        { plan: 'free', limits: free, keys: 3 },
        { plan: 'pro', limits: pro, keys: 3 },
      ],
    };
    const baseUrl = await deploy(t, { free, pro }, mine, others);
    const keysText = [
      'key,plan',
      ...mine.map((key) => `${key},free`),
      ...others.map((key) => `${key},pro`),
    ].join('\n');
    const record = await together(t, baseUrl, { profile: 'soak', inputs, runners: 2, keysText });
    assert.equal(record.outcome, 'conforms', JSON.stringify([record.ended, record.requirements], null, 1));
    assert.deepEqual(
      record.keys.map(({ sent }) => sent),
      [55, 55, 55, 163, 163, 163],
    );
  });
});
