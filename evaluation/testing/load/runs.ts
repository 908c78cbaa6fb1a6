import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import type { Finding } from '../../../kernel/findings/record.ts';
import type { JudgedRun, RunEnd, RunToJudge } from '../../../load/judging/run-judge.ts';
import { RunJudge } from '../../../load/judging/run-judge.ts';
import type { KeyAlias, Operation, Profile, Step } from '../../../load/model/profile.ts';
import type { LoadRunFile } from '../../../load/model/run-file.ts';
import type {
  BodyReading,
  KeyTrace,
  Sample,
  SampleOutcome,
  ScenarioEvent,
  Trace,
} from '../../../load/model/sample.ts';
import type { Judging } from '../../../load/run/judge-folder.ts';
import { COMPRESSED_SAMPLES_FILE, SAMPLES_FILE, SampleReader } from '../../../load/run/samples.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { ExpectationId } from '../../../spec/register.ts';

/** The limits of these runs: ten requests per minute. */
export const LIMITS: Limits = { perMinute: 10, perDay: 100, minuteSeconds: 60, daySeconds: 86_400 };

/** The start of each of these runs, 2026-11-21 10:00:00 UTC, in milliseconds since the Unix epoch. */
const START = Date.UTC(2026, 10, 21, 10);

/** A load run as it came to an end, with its samples in memory. */
export interface LoadRun extends RunToJudge, RunEnd {
  readonly trace: Trace;
}

/** The records of a trace by key. */
export function keyTraces({ samples, events }: Pick<Trace, 'samples' | 'events'>): readonly KeyTrace[] {
  const keyOf = ({ key }: { readonly key: KeyAlias }): KeyAlias => key;
  const [samplesOf, eventsOf] = [groupedBy(samples, keyOf), groupedBy(events, keyOf)];
  return [...new Set([...samplesOf.keys(), ...eventsOf.keys()])].map((key) => ({
    key,
    samples: samplesOf.get(key) ?? [],
    events: eventsOf.get(key) ?? [],
  }));
}

export function judgeLoad(run: LoadRun): JudgedRun {
  const judge = new RunJudge(run);
  for (const key of keyTraces(run.trace)) judge.add(key);
  return judge.conclude(run);
}

/** One request of a synthetic load run. Times are milliseconds since the start of the run. */
export interface StagedSample {
  readonly key?: KeyAlias;
  /** The index of the step that sent it; by default 0. */
  readonly step?: number;
  readonly at: number;
  /** When it was scheduled; by default without a schedule. */
  readonly planned?: number;
  readonly took?: number;
  readonly status?: number;
  /** The value of Remaining; null for a response without rate-limit headers. */
  readonly left?: number | null;
  readonly limit?: number;
  /** The time of Reset, in milliseconds since the start of the run. */
  readonly resets?: number;
  readonly wait?: string;
  /** By how much the clock of the target is ahead, in milliseconds. */
  readonly aheadMs?: number;
  readonly silent?: boolean;
  /** A connection was opened for it. */
  readonly opened?: true;
  /** k6 could not read the response, for this reason. */
  readonly malformed?: string;
  /** By default a list; a category is that of a creation. */
  readonly operation?: Operation;
  readonly body?: BodyReading;
}

/** A synthetic load run: the scenarios of its keys, and the requests with their responses. */
export interface StagedRun {
  readonly scenarios: readonly (readonly [KeyAlias, readonly Step[]])[];
  readonly samples: readonly StagedSample[];
  readonly ended?: LoadRun['ended'];
  readonly stopped?: readonly Extract<ScenarioEvent, { kind: 'stopped' }>[];
  readonly latencyThresholdMs?: number;
  readonly thresholds?: LoadRun['thresholds'];
  /** Whether the user states that no other client uses the keys; by default not. */
  readonly exclusive?: boolean;
  /** By default `LIMITS`. */
  readonly limits?: Limits;
}

/** The finding of one expectation about a run. */
export function judged(id: ExpectationId | 'LATENCY', staged: StagedRun): Finding {
  const [finding] = judgeLoad(runOf(id === 'LATENCY' ? [] : [id], staged)).record.requirements;
  if (finding === undefined) throw new Error('no finding');
  return finding;
}

/** A run that is judged by these expectations. */
export function runOf(expects: Profile['expects'], staged: StagedRun): LoadRun {
  const {
    scenarios,
    samples: stagedSamples,
    ended,
    stopped = [],
    latencyThresholdMs,
    thresholds,
    exclusive = false,
    limits = LIMITS,
  } = staged;
  const profile: Profile = {
    ...{
      id: 'smoke',
      description: 'A synthetic run.',
      why: 'For tests of the judges.',
      expects,
    },
    scenarios: () => scenarios.map(([key, steps]) => ({ key, limits, steps })),
  };
  const counts = new Map<KeyAlias, number>();
  const samples = stagedSamples.map((one) => {
    const key = one.key ?? 'key';
    const n = (counts.get(key) ?? 0) + 1;
    counts.set(key, n);
    const steps = scenarios.find(([name]) => name === key)?.[1] ?? [];
    return sampleOf({ limit: limits.perMinute, ...one }, key, n, steps);
  });
  return {
    suite: { name: 'petstore-conformance', version: '0.1.0' },
    spec: JUDGING.spec,
    target: { baseUrl: 'http://127.0.0.1:8080/v1', plan: 'free' },
    profile,
    inputs: { limits, fleet: 1, minutes: 1, ...(exclusive ? { exclusiveKeys: true } : {}) },
    trace: { samples, events: stopped },
    ended: ended ?? { how: 'finished', because: 'All requests were sent.' },
    startedAt: new Date(START).toISOString(),
    finishedAt: new Date(START + 60_000).toISOString(),
    environment: { k6: '2.2.0', node: '20.19.0', platform: 'linux x64', cpus: 2 },
    ...(latencyThresholdMs === undefined ? {} : { latencyThresholdMs }),
    ...(thresholds === undefined ? {} : { thresholds }),
  };
}

function sampleOf(staged: StagedSample, key: KeyAlias, n: number, steps: readonly Step[]): Sample {
  const { step = 0, at, planned, took = 10, operation = 'list', opened } = staged;
  return {
    ...{ key, n, step, kind: steps[step]?.kind ?? 'preflight', operation },
    planned: planned === undefined ? null : START + planned,
    sent: START + at,
    received: START + at + took,
    ...(opened === undefined ? {} : { opened }),
    outcome: outcomeOf(staged),
  };
}

function outcomeOf({
  at,
  silent,
  malformed,
  status = 200,
  left = 5,
  limit,
  resets = 60_000,
  wait,
  aheadMs = 0,
  body,
}: StagedSample): SampleOutcome {
  if (malformed !== undefined) return { kind: 'no-response', error: malformed };
  if (silent === true) return { kind: 'no-response', error: 'EOF' };
  const headers =
    left === null
      ? {}
      : {
          limit: String(limit),
          remaining: String(left),
          reset: String((START + resets) / 1000),
        };
  const date = new Date(START + aheadMs + Math.floor(at / 1000) * 1000).toUTCString();
  return {
    ...{ kind: 'answer', status, date, ...headers },
    ...(wait === undefined ? {} : { retryAfter: wait }),
    ...(body === undefined ? {} : { body }),
  };
}

/** This many requests, one every `everyMs`, with Remaining counting down from `from`. */
export const countdown = (
  requests: number,
  from: number,
  more: Partial<StagedSample> = {},
  everyMs = 100,
): readonly StagedSample[] =>
  Array.from({ length: requests }, (_, i) => ({
    ...more,
    at: (more.at ?? 0) + i * everyMs,
    left: Math.max(0, from - i),
  }));

/** The program that judges in tests, and its specification. */
export const JUDGING = {
  suite: { name: 'petstore-conformance', version: '0' },
  spec: { version: '1.0.0', digest: `sha256:${'0'.repeat(64)}` },
} as const satisfies Judging;

/** What tests state of a load run besides its profile. */
export const TESTED = {
  ...JUDGING,
  target: { baseUrl: 'http://127.0.0.1:9/v1', plan: 'free' },
  environment: { k6: '2', node: '20', platform: 'linux x64', cpus: 1 },
} as const;

/** The file of a run that has not ended. */
export const runFileOf = (
  run: Pick<LoadRunFile, 'profile' | 'inputs'> & Partial<LoadRunFile>,
): LoadRunFile => ({
  ...{ schemaVersion: 2, ...TESTED, latencyThresholdMs: null, end: null },
  startedAt: '2026-11-22T10:00:00.000Z',
  ...run,
});

/** Reads the samples of a run that has ended from its folder, compressed or not. */
export function readSamples(folder: string) {
  const samples: Sample[] = [];
  const events: ScenarioEvent[] = [];
  const reader = new SampleReader((one) => ('outcome' in one ? samples.push(one) : events.push(one)));
  const compressed = join(folder, COMPRESSED_SAMPLES_FILE);
  reader.push(
    existsSync(compressed) ? gunzipSync(readFileSync(compressed)) : readFileSync(join(folder, SAMPLES_FILE)),
  );
  return { trace: { samples, events } };
}
