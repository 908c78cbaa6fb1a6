import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ascending, quantile, scheduleDelayMs } from '../../load/model/latency.ts';
import { findProfile } from '../../load/profiles/index.ts';
import type { LoadJob } from '../../load/run/k6-command.ts';
import { k6Arguments, k6Environment } from '../../load/run/k6-command.ts';
import { onTestbed } from '../load/real-load.ts';
import { readSamples } from '../testing/load/runs.ts';
import { inTemporaryFolder } from '../testing/tools/folder.ts';
import { k6Path } from '../testing/tools/k6.ts';
import { listening } from '../testing/tools/listening.ts';
import { endChild, replyTo, startChild } from './child.ts';
import type { BenchRow } from './row.ts';
import { atLeast, atMost, mediansOf, rounded, rowOf } from './row.ts';
import type { Served } from './serve-child.ts';

/** What the load runner costs, and how exact it is. Runs k6 some twenty times. */
export async function measureLoading(): Promise<readonly BenchRow[]> {
  return [...(await scriptOverOthers()), await scheduleOverTimers(), await measureStart()];
}

const ROUNDS = 5;

/** How many requests of a burst are under way at the same time. */
const CONCURRENCY = 100;

/** What is measured, and the same without most of its requests, so that the start of k6 is left out. */
const BURST = { requests: 12_000, fewest: CONCURRENCY } as const;

type BurstScript = 'load' | 'bare' | 'recording';

/**
 * The script beside two others: one that sends alone, and the shortest one that keeps the same records. Seconds of a
 * processor, because requests in a second depend on what else the machine does.
 */
async function scriptOverOthers(): Promise<readonly BenchRow[]> {
  const { first, child } = await startChild<Served>('./serve-child.ts', { KIND: 'counting' });
  const secondsOf = (script: BurstScript, requests: number) =>
    burstSeconds(script, { requests, baseUrl: first.baseUrl, server: child });
  /** Microseconds for each request. */
  const costOf = (script: BurstScript) => async (): Promise<number> => {
    const start = await secondsOf(script, BURST.fewest);
    const seconds = (await secondsOf(script, BURST.requests)) - start;
    return (seconds * 1e6) / (BURST.requests - BURST.fewest);
  };
  try {
    const { load, bare, recording } = await mediansOf(ROUNDS, {
      load: costOf('load'),
      bare: costOf('bare'),
      recording: costOf('recording'),
    });
    const row = (name: string, other: number, least: number): BenchRow =>
      rowOf(
        `${name} / load script: seconds of a processor`,
        [other, load],
        atLeast(least),
        (cost) => `${Math.round(cost)} µs per request`,
      );
    return [
      row('the shortest script that keeps the same records', recording, 0.95),
      row('k6 sending alone', bare, 0.5),
    ];
  } finally {
    await endChild(child);
  }
}

/** Seconds of a processor that k6 uses for one burst, with the outputs of a load run. */
const burstSeconds = (
  script: BurstScript,
  to: { readonly requests: number; readonly baseUrl: string; readonly server: ChildProcess },
): Promise<number> =>
  inTemporaryFolder(async (folder) => {
    const { requests, baseUrl, server } = to;
    const limits = { perMinute: requests, perDay: 1e9, minuteSeconds: 3600, daySeconds: 86_400 };
    const job: LoadJob = {
      baseUrl,
      profile: findProfile('at-limit'),
      inputs: { limits, fleet: 1, minutes: 1 },
      keys: { key: 'bench-key-000001' },
      headers: [],
      tag: 'bench',
      folder,
      outputs: [],
    };
    const variables = { REQUESTS: String(requests), CONCURRENCY: String(CONCURRENCY) };
    await replyTo(server, requests);
    const seconds = await runScript(script, job, variables);
    const arrived = await replyTo<number>(server, requests);
    if (arrived !== requests) throw new Error(`${arrived} requests arrived of ${requests}.`);
    return seconds;
  });

/** The rate of Business, a thousand in a minute, over windows of six seconds. */
const BUSINESS_RATE = { perMinute: 100, perDay: 100_000, minuteSeconds: 6, daySeconds: 86_400 };

/** As many timers as a window has requests, as far apart. */
const TIMERS = { TIMERS: '100', TIMER_MS: '60' } as const;

async function scheduleOverTimers(): Promise<BenchRow> {
  const { samples, values } = await onTestbed(
    { profile: 'under', limits: BUSINESS_RATE },
    async ({ job }) => {
      await runScript('timers', job, TIMERS);
      return samplesOf(job, 'bare_timer_late');
    },
  );
  const late = samples.flatMap((sample) => scheduleDelayMs(sample) ?? []);
  const [schedule, timer] = [late, values].map((all) => quantile(ascending(all), 0.99)) as [number, number];
  return {
    name: 'schedule delay at the rate of Business, p99 / bare timers in the same process',
    ratio: schedule / timer,
    aim: atMost(2),
    absolute: `${rounded(schedule)} ms of ${late.length}, ${rounded(timer)} ms of ${values.length}`,
  };
}

const COMMAND = path('../../cli/petstore-conformance.js');

const KEY = { PETSTORE_API_KEY: 'bench-key-000001' };

/**
 * How long a load run takes until its first request, beside its two programs alone: the
 * command, which prints its help, and k6, which sends one request.
 */
const measureStart = (): Promise<BenchRow> =>
  inTemporaryFolder(async (folder) => {
    let arrived = Number.NaN;
    const { baseUrl, close } = await listening(
      createServer((_, response) => {
        if (Number.isNaN(arrived)) arrived = performance.now();
        response.writeHead(401).end();
      }),
    );
    /** Seconds from the start of a program to its end. */
    const secondsOf = async (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
      const before = performance.now();
      await once(spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' }), 'close');
      return (performance.now() - before) / 1000;
    };
    /** The same, to its first request. */
    const secondsToRequest = async (...program: Parameters<typeof secondsOf>): Promise<number> => {
      const before = performance.now();
      arrived = Number.NaN;
      await secondsOf(...program);
      if (Number.isNaN(arrived)) throw new Error(`${program[0]} sent no request.`);
      return (arrived - before) / 1000;
    };
    let runs = 0;
    const load = (): readonly string[] => {
      runs += 1;
      return [COMMAND, 'load', 'smoke', '--target', baseUrl, '--out', join(folder, String(runs))];
    };
    const alone = ['run', '--quiet', '--no-usage-report', K6_SCRIPTS.bare];
    const oneRequest = { ...KEY, TARGET: baseUrl, REQUESTS: '1', CONCURRENCY: '1' };
    try {
      const { ours, parts } = await mediansOf(ROUNDS, {
        ours: () => secondsToRequest(process.execPath, load(), { ...KEY, K6_BIN: k6Path }),
        parts: async () =>
          (await secondsOf(process.execPath, [COMMAND, '--help'])) +
          (await secondsToRequest(k6Path, alone, oneRequest)),
      });
      const name = 'start of a load run to its first request / --help, and k6 alone';
      return rowOf(name, [ours, parts], atMost(2));
    } finally {
      await close();
    }
  });

/** The scripts that k6 runs here; `load` is the one of the load profiles. */
const K6_SCRIPTS = {
  load: path('../../load/script/main.ts'),
  bare: path('./k6/bare-burst.js'),
  recording: path('./k6/recording-burst.js'),
  timers: path('./k6/with-bare-timers.js'),
} as const;

/** Every metric of k6, for a script that measures with one. */
const METRICS_FILE = 'metrics.ndjson';

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** What `times` of a shell prints on its second line: the seconds that its children used, of their own and of the system. */
const TIMES = /(\d+)m([\d.]+)s/g;

/**
 * Runs k6 to its end as a load run does, with the same outputs, but with this script.
 * @param environment further variables for the script.
 * @returns the seconds of a processor that k6 used, all its threads together.
 */
async function runScript(
  script: keyof typeof K6_SCRIPTS,
  order: LoadJob,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  // The script is the last argument.
  const metrics = script === 'timers' ? [`--out=json=${join(order.folder, METRICS_FILE)}`] : [];
  const args = [...k6Arguments(order).slice(0, -1), ...metrics, K6_SCRIPTS[script]];
  const child = spawn('sh', ['-c', '"$@" >/dev/null 2>&1; times', 'sh', k6Path, ...args], {
    env: { ...k6Environment(order, process.env), ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [, ofChildren = ''] = (await text(child.stdout)).split('\n');
  return [...ofChildren.matchAll(TIMES)].reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);
}

/** The samples of the requests that the last run into this folder sent, and every value of one metric. */
async function samplesOf({ folder }: LoadJob, metric: string) {
  const values: number[] = [];
  const lines = createInterface({ input: createReadStream(join(folder, METRICS_FILE)) });
  for await (const line of lines) {
    const point = JSON.parse(line) as { metric?: string; type?: string; data?: { value?: number } };
    if (point.metric === metric && point.type === 'Point') values.push(point.data?.value ?? Number.NaN);
  }
  return { samples: readSamples(folder).trace.samples, values };
}
