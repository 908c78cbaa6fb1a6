import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUITE } from '../../kernel/findings/tested.ts';
import type { ProfileInputs, Scenario } from '../../load/model/profile.ts';
import type { Sample } from '../../load/model/sample.ts';
import { dueMsOf } from '../../load/profiles/arithmetic.ts';
import { findProfile } from '../../load/profiles/index.ts';
import { writeRunFile } from '../../load/run/run-file.ts';
import { runChild } from './child.ts';
import type { JudgedLoad } from './judge-load-child.ts';
import type { BenchRow } from './row.ts';
import { rounded } from './row.ts';

/** A long soak of many keys, as several runners would record it against a service that conforms. */
interface LongLoad {
  readonly keys: number;
  /** Of each key. */
  readonly minutes: number;
  readonly runners: number;
}

const LIMITS = { perMinute: 60, perDay: 100_000, minuteSeconds: 60, daySeconds: 86_400 };
const START = Date.UTC(2026, 10, 21, 10);
const MINUTE = 60_000;

/** Writes the file of the run and the samples of its runners. @returns how many samples there are. */
function writeLongLoad(folder: string, { keys, minutes, runners }: LongLoad): number {
  const inputs: ProfileInputs = { limits: LIMITS, fleet: keys, minutes };
  writeRunFile(folder, {
    ...{ schemaVersion: 2, suite: SUITE, target: { baseUrl: 'http://127.0.0.1/v1', plan: 'free' } },
    ...{ profile: 'soak', inputs, runners, latencyThresholdMs: null, end: null },
    startedAt: new Date(START).toISOString(),
    environment: { k6: '2', node: process.versions.node, platform: 'linux x64', cpus: 1 },
  });
  const scenarios = findProfile('soak').scenarios(inputs);
  let samples = 0;
  for (let runner = 0; runner < runners; runner += 1) {
    const file = openSync(join(folder, `runner-${runner + 1}.ndjson`), 'w');
    for (let at = runner; at < keys; at += runners) {
      const lines = linesOf(scenarios[at]);
      samples += lines.length - 1;
      writeSync(file, `${lines.join('\n')}\n`);
    }
    closeSync(file);
  }
  return samples;
}

/** The samples of a key and its end. The windows of the service are aligned to the minute. */
function linesOf(scenario: Scenario | undefined): readonly string[] {
  const { key = 'fleet-1', steps = [] } = scenario ?? {};
  const lines: string[] = [];
  let at = START + 50;
  let window = 0;
  let used = 0;
  const add = (step: number, kind: Sample['kind'], planned: number | null): void => {
    const sent = (planned ?? at) + 0.4;
    const minute = Math.floor(sent / MINUTE);
    used = minute === window ? used + 1 : 1;
    window = minute;
    const received = sent + 5 + ((lines.length * 7919) % 100) / 10;
    const outcome = {
      ...{ kind: 'answer', status: 200, limit: '60', remaining: String(LIMITS.perMinute - used) },
      ...{ reset: String(((minute + 1) * MINUTE) / 1000), date: new Date(sent).toUTCString() },
    } as const;
    const n = lines.length + 1;
    lines.push(JSON.stringify({ key, n, step, kind, operation: 'list', planned, sent, received, outcome }));
    at = received;
  };
  for (const [position, step] of steps.entries()) {
    if (step.kind === 'preflight') add(position, step.kind, null);
    if (step.kind === 'rest') at += step.forMs;
    if (step.kind !== 'paced') continue;
    const start = at;
    for (const due of dueMsOf(step)) add(position, step.kind, start + due);
    at = Math.max(at, start + step.overMs);
  }
  lines.push(JSON.stringify({ key, kind: 'finished', at, requests: lines.length }));
  return lines;
}

/** One long run that was judged, and the size of its files. */
interface Measured extends JudgedLoad {
  readonly samples: number;
  readonly bytes: number;
}

/** Judges a long load run of several runners beside one of a quarter of its keys, each in a process of its own: memory must not grow with the samples. */
export async function measureJudgingLoad(run: LongLoad): Promise<readonly BenchRow[]> {
  const quarter = await measure({ ...run, keys: Math.ceil(run.keys / 4) });
  const whole = await measure(run);
  const what = `judging ${whole.samples} load samples of ${run.keys} keys`;
  return [
    {
      name: `${what}: peak memory / that of a quarter of the keys`,
      ratio: whole.peakBytes / quarter.peakBytes,
      aim: { is: 'at most', value: 1.2 },
      absolute: `${megabytes(whole.peakBytes)}, ${megabytes(quarter.peakBytes)}; ${megabytes(whole.bytes)} of samples`,
    },
    {
      name: `${what}: CPU time for a sample / with a quarter of the keys`,
      ratio: whole.seconds / whole.samples / (quarter.seconds / quarter.samples),
      aim: { is: 'at most', value: 1.5 },
      absolute: `${rounded(whole.seconds)} s, ${rounded(quarter.seconds)} s`,
    },
  ];
}

async function measure(run: LongLoad): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const samples = writeLongLoad(folder, run);
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const judged = await runChild<JudgedLoad>('./judge-load-child.ts', { FOLDER: folder });
    if (judged.outcome !== 'conforms') throw new Error(`A conforming run had the outcome ${judged.outcome}.`);
    return { ...judged, samples, bytes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
