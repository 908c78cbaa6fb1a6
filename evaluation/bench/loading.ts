import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ascending, quantile, scheduleDelayMs } from '../../load/model/latency.ts';
import { previewProfile } from '../../load/preview.ts';
import { findProfile, PROFILE_IDS } from '../../load/profiles/index.ts';
import type { LoadJob } from '../../load/run/k6-command.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import type { Testbed, Trial } from '../load/real-load.ts';
import { briefLimitsFor, k6ProcessOf, startTestbed } from '../load/real-load.ts';
import { endChild, startChild } from './child.ts';
import { runScript, samplesOf } from './k6/run-script.ts';
import type { Arrived, Listening } from './limited-child.ts';
import type { BenchRow } from './row.ts';
import { median, rounded } from './row.ts';
import { measureStart } from './starting.ts';

/** What the load runner costs, and how exact it is. Runs k6 some thirty times. */
export async function measureLoading(k6: string): Promise<readonly BenchRow[]> {
  return [
    ...(await scriptOverOthers(k6)),
    await scheduleOverTimers(k6),
    await sentOverPreviewed(k6),
    await measureStart(k6),
  ];
}

const ROUNDS = 5;

/** A limit whose burst takes about a second: requests, and how many of them are under way at the same time. */
const BURST = { requests: 6000, concurrency: 100 } as const;

/** The script beside two others: one that sends alone, and one that records the least that a script which loses nothing has to. */
async function scriptOverOthers(k6: string): Promise<readonly BenchRow[]> {
  const { first, child } = await startChild<Listening>('./limited-child.ts', { LIMIT: `${BURST.requests}` });
  const scripts = ['load', 'bare', 'recording'] as const;
  const rates: Record<(typeof scripts)[number], number[]> = { load: [], bare: [], recording: [] };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const script of scripts) {
        const rate = await burstRate(k6, script, first.baseUrl, child);
        // The first round is a warm-up.
        if (round > 0) rates[script].push(rate);
      }
    }
  } finally {
    await endChild(child);
  }
  const load = median(rates.load);
  const row = (name: string, other: number, atLeast: number): BenchRow => ({
    name: `load script: requests per second / ${name}`,
    ratio: load / other,
    aim: { is: 'at least', value: atLeast },
    absolute: `${Math.round(load)}/s, ${Math.round(other)}/s`,
  });
  return [
    row('the least that records every request', median(rates.recording), 0.8),
    row('k6 sending alone', median(rates.bare), 0.6),
  ];
}

/** Requests per second at the server, of one run of k6 with the outputs of a load run. */
async function burstRate(
  k6: string,
  script: 'load' | 'bare' | 'recording',
  baseUrl: string,
  server: ChildProcess,
): Promise<number> {
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
  const variables = { REQUESTS: String(BURST.requests), CONCURRENCY: String(BURST.concurrency) };
  try {
    await runScript(k6, script, job, variables);
    const arrived = once(server, 'message') as Promise<[Arrived]>;
    server.send('how many?');
    const [{ requests, seconds }] = await arrived;
    if (requests !== BURST.requests) throw new Error(`${requests} requests arrived of ${BURST.requests}.`);
    return requests / seconds;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Starts a reference server in this process for `use`, and closes it afterwards. */
async function onStage<T>(trial: Trial, use: (stage: Testbed) => Promise<T>): Promise<T> {
  const after: (() => unknown)[] = [];
  try {
    return await use(await startTestbed({ after: (undo) => void after.push(undo as () => unknown) }, trial));
  } finally {
    for (const undo of after) await undo();
  }
}

/** The rate of Business, a thousand in a minute, over windows of six seconds. */
const BUSINESS_RATE = { perMinute: 100, perDay: 100_000, minuteSeconds: 6, daySeconds: 86_400 };

/** As many timers as a window has requests, as far apart. */
const TIMERS = { TIMERS: '100', TIMER_MS: '60' } as const;

async function scheduleOverTimers(k6: string): Promise<BenchRow> {
  const { samples, values } = await onStage({ profile: 'under', limits: BUSINESS_RATE }, async ({ job }) => {
    await runScript(k6, 'timers', job, TIMERS);
    return samplesOf(job, 'bare_timer_late');
  });
  const late = samples.flatMap((sample) => scheduleDelayMs(sample) ?? []);
  const [schedule, timer] = [late, values].map((all) => quantile(ascending(all), 0.99)) as [number, number];
  return {
    name: 'schedule delay at the rate of Business, p99 / bare timers in the same process',
    ratio: schedule / timer,
    aim: { is: 'at most', value: 2 },
    absolute: `${rounded(schedule)} ms of ${late.length}, ${rounded(timer)} ms of ${values.length}`,
  };
}

async function sentOverPreviewed(k6: string): Promise<BenchRow> {
  const ratios: number[] = [];
  let total = 0;
  for (const profile of PROFILE_IDS) {
    const { sent, previewed } = await onStage({ profile, limits: briefLimitsFor(profile) }, async (on) => {
      const { ended } = await runK6(on.job, k6ProcessOf({ k6 }));
      if (ended.how !== 'finished') throw new Error(`${profile}: ${ended.because}`);
      return { sent: on.counted(), previewed: previewProfile(on.job.profile, on.job.inputs).requests };
    });
    ratios.push(sent / previewed);
    total += sent;
  }
  const farthest = ratios.reduce((far, one) => (Math.abs(one - 1) > Math.abs(far - 1) ? one : far), 1);
  return {
    name: `requests sent / previewed, the farthest from 1 of ${PROFILE_IDS.length} profiles`,
    ratio: farthest,
    aim: { is: 'exactly', value: 1 },
    absolute: `${total} requests sent`,
  };
}
