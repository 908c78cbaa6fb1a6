import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '../../load/operator/manifests.ts';
import { operatorManifests } from '../../load/operator/manifests.ts';
import { k6Path } from '../testing/tools/k6.ts';
import { freePort } from '../testing/tools/listening.ts';

/** A deployment whose runners are processes of this machine. */
export interface LocalDeployment {
  readonly deployment: Deployment;
  /** The values of the Secrets, by variable. */
  readonly secretValues: Readonly<Record<string, string>>;
  /** The file that the Secret of the keys holds; undefined without a fleet. */
  readonly keysFile: string | undefined;
  /** Folder for everything; each runner has a folder of its own in `samples`. */
  readonly folder: string;
}

interface RunnerSpec {
  readonly parallelism: number;
  readonly arguments: string;
  readonly runner: { readonly env: readonly { readonly name: string; readonly value?: string }[] };
}

/** One runner that waits for its start. */
interface Runner {
  readonly child: ChildProcess;
  readonly api: string;
  readonly closed: Promise<unknown>;
  readonly stderr: () => string;
}

/**
 * Runs the runners of a TestRun as the k6 operator does (v1.5.0: pkg/segmentation, pkg/resources): each is paused with
 * its execution segment, and then all are started one after the other through the REST API of k6.
 * @returns the folder of the samples of all runners, and what k6 wrote to standard error.
 */
export async function runAsOperator(local: LocalDeployment) {
  const { spec } = operatorManifests(local.deployment)[1] as unknown as { readonly spec: RunnerSpec };
  const script = join(local.folder, 'script.js');
  writeFileSync(script, local.deployment.script);
  const runners = await Promise.all(
    Array.from({ length: spec.parallelism }, (_, at) => startPaused(at + 1, spec, script, local)),
  );
  try {
    await Promise.all(runners.map(awaitApi));
    for (const runner of runners) await startThroughApi(runner);
    await Promise.all(runners.map(({ closed }) => closed));
  } finally {
    for (const { child } of runners) if (child.exitCode === null) child.kill('SIGKILL');
  }
  return { samples: join(local.folder, 'samples'), stderr: runners.map(({ stderr }) => stderr()).join('') };
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

async function startPaused(
  index: number,
  spec: RunnerSpec,
  script: string,
  { folder, secretValues, keysFile }: LocalDeployment,
): Promise<Runner> {
  const samples = join(folder, 'samples', `petstore-load-${index}`);
  mkdirSync(samples, { recursive: true });
  const address = `127.0.0.1:${await freePort()}`;
  const args = [
    ...['run', '--quiet', ...segmentArguments(index, spec.parallelism)],
    ...spec.arguments.replaceAll('/samples/', `${samples}/`).split(' '),
    ...[script, `--address=${address}`, '--paused', '--tag', `instance_id=${index}`],
  ];
  const variables = spec.runner.env.flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value]],
  );
  const child = spawn(k6Path, args, {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...Object.fromEntries(variables),
      ...secretValues,
      ...(keysFile === undefined ? {} : { PETSTORE_KEYS_FILE: keysFile }),
    },
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
