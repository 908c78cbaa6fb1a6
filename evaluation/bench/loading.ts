import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ascending, quantile, scheduleDelayMs } from '../../load/model/latency.ts';
import { PROFILE_IDS } from '../../load/model/profile.ts';
import { previewProfile } from '../../load/preview/preview.ts';
import { findProfile } from '../../load/profiles/index.ts';
import type { LoadJob } from '../../load/run/k6-command.ts';
import { k6Arguments, k6Environment } from '../../load/run/k6-command.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import type { Trial } from '../load/real-load.ts';
import { briefLimits, k6ProcessOf, startTestbed } from '../load/real-load.ts';
import { k6Path, withoutK6 } from '../testing/tools/k6.ts';
import { listen } from '../third-party/third-party.ts';
import { endChild, startChild } from './child.ts';
import type { Arrived, Listening } from './limited-child.ts';
import type { Row } from './row.ts';
import { median } from './row.ts';

/** What the load runner costs, and how exact it is; nothing where there is no k6. */
export async function measureLoading(): Promise<readonly Row[]> {
  if (withoutK6 !== false) throw new Error(withoutK6);
  return [await ourScriptOverBare(), await scheduling(), await exactness(), await firstRequest()];
}

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const ROUNDS = 5;

/** A limit whose burst takes about a second: requests, and how many of them are under way at once. */
const BURST = { requests: 6000, atOnce: 100 } as const;

async function ourScriptOverBare(): Promise<Row> {
  const { first, child } = await startChild<Listening>('./limited-child.ts', { LIMIT: `${BURST.requests}` });
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const script of ['ours', 'bare'] as const) {
        const rate = await burstRate(script, first.baseUrl, child);
        // The first round only warms up.
        if (round > 0) rates[script].push(rate);
      }
    }
  } finally {
    await endChild(child);
  }
  const [ours, bare] = [median(rates.ours), median(rates.bare)];
  return {
    name: `load script (${Math.round(ours)}/s) over a bare k6 script (${Math.round(bare)}/s)`,
    figure: ours / bare,
    unit: '',
    aim: { is: 'at least', value: 0.9 },
  };
}

/** Requests per second at the server, of one run of k6 with the outputs of a load run. */
async function burstRate(script: 'ours' | 'bare', baseUrl: string, server: ChildProcess): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const limits = { perMinute: BURST.requests, perDay: 1e9, minuteSeconds: 3600, daySeconds: 86_400 };
  const job: LoadJob = {
    baseUrl,
    profile: findProfile('at-limit'),
    inputs: { limits, fleet: 1, minutes: 1 },
    keys: { key: 'bench-key-000001', fleet: [] },
    headers: [],
    tag: 'bench',
    folder,
    outputs: [],
  };
  const args = k6Arguments(job);
  const bare = [...args.slice(0, -1), file('../../load/script/bare-burst.ts')];
  const env = { REQUESTS: String(BURST.requests), CONCURRENCY: String(BURST.atOnce) };
  try {
    const k6 = spawn(k6Path, script === 'ours' ? args : bare, {
      env: { ...k6Environment(job, process.env), ...env },
      stdio: 'ignore',
    });
    await once(k6, 'close');
    const arrived = once(server, 'message') as Promise<[Arrived]>;
    server.send('how many?');
    const [{ requests, seconds }] = await arrived;
    if (requests !== BURST.requests) throw new Error(`${requests} requests came of ${BURST.requests}.`);
    return requests / seconds;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a profile with k6 against the reference server in this process. */
async function loaded(trial: Trial) {
  const after: (() => unknown)[] = [];
  try {
    const { job, counted } = await startTestbed(
      { after: (undo) => void after.push(undo as () => unknown) },
      trial,
    );
    const outcome = await runK6(job, k6ProcessOf());
    if (outcome.ended.how !== 'finished') throw new Error(outcome.ended.because);
    return { job, ...outcome, counted: counted() };
  } finally {
    for (const undo of after) await undo();
  }
}

/** The rate of Business, a thousand in a minute, over windows of six seconds. */
const BUSINESS_RATE = { perMinute: 100, perDay: 100_000, minuteSeconds: 6, daySeconds: 86_400 };

async function scheduling(): Promise<Row> {
  const { trace } = await loaded({ profile: 'under', limits: BUSINESS_RATE });
  const late = ascending(trace.samples.flatMap((sample) => scheduleDelayMs(sample) ?? []));
  return {
    name: `scheduling error at the rate of Business, p99 of ${late.length}`,
    figure: quantile(late, 0.99),
    unit: ' ms',
    aim: { is: 'at most', value: 5 },
  };
}

async function exactness(): Promise<Row> {
  let off = 0;
  for (const profile of PROFILE_IDS) {
    const limits = profile === 'day-quota' ? { ...briefLimits, perDay: 40, daySeconds: 3600 } : briefLimits;
    const { job, counted } = await loaded({ profile, limits });
    off += Math.abs(counted - previewProfile(job.profile, job.inputs).requests);
  }
  return {
    name: `requests that the previews of ${PROFILE_IDS.length} profiles were off by`,
    figure: off,
    unit: '',
    aim: { is: 'exactly', value: 0 },
  };
}

async function firstRequest(): Promise<Row> {
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) seconds.push(await secondsToFirstRequest());
  return {
    name: 'from the command to the first request',
    figure: median(seconds),
    unit: ' s',
    aim: { is: 'at most', value: 2 },
  };
}

async function secondsToFirstRequest(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  let at = Number.NaN;
  const { baseUrl, close } = await listen(
    createServer((_, response) => {
      at = performance.now();
      response.writeHead(401).end();
    }),
  );
  try {
    const before = performance.now();
    const args = [
      file('../../cli/petstore-conformance.js'),
      'load',
      'smoke',
      '--target',
      baseUrl,
      '--out',
      folder,
    ];
    const command = spawn(process.execPath, args, {
      env: { ...process.env, K6_BIN: k6Path, PETSTORE_API_KEY: 'bench-key-000001' },
      stdio: 'ignore',
    });
    await once(command, 'close');
    if (Number.isNaN(at)) throw new Error('No request came.');
    return (at - before) / 1000;
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}
