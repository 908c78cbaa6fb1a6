import type { LoadRun } from '../../../load/judging/judge.ts';
import { judgeLoad } from '../../../load/judging/judge.ts';
import type { ExpectationId, KeyAlias, Profile, Step } from '../../../load/model/profile.ts';
import type { LoadFinding } from '../../../load/model/record.ts';
import type { Sample, SampleOutcome, ScenarioEvent } from '../../../load/model/sample.ts';
import type { Limits } from '../../../spec/plans.ts';

/** The limits of these runs: ten in a minute. */
export const LIMITS: Limits = { perMinute: 10, perDay: 100, minuteSeconds: 60, daySeconds: 86_400 };

/** 2026-11-21 10:00:00 UTC, when every one of these runs begins; milliseconds since the Unix epoch. */
const START = Date.UTC(2026, 10, 21, 10);

/** One request of a run that never was. Times are milliseconds since its beginning. */
export interface Told {
  readonly key?: KeyAlias;
  /** The step that sent it; 0 unless said otherwise. */
  readonly step?: number;
  readonly at: number;
  /** When it should have been sent; nobody said so unless given. */
  readonly planned?: number;
  readonly took?: number;
  readonly status?: number;
  /** What Remaining says; no rate-limit header at all where it is null. */
  readonly left?: number | null;
  readonly limit?: number;
  /** When Reset comes, in milliseconds since the beginning. */
  readonly resets?: number;
  readonly wait?: string;
  readonly silent?: boolean;
}

/** A run that never was: what its lanes were to do, and what was answered. */
export interface Staged {
  readonly scenarios: readonly (readonly [KeyAlias, readonly Step[]])[];
  readonly told: readonly Told[];
  readonly ended?: LoadRun['ended'];
  readonly stopped?: readonly Extract<ScenarioEvent, { kind: 'stopped' }>[];
  readonly latencyThresholdMs?: number;
}

/** What one expectation says of a run. */
export function judged(id: ExpectationId, staged: Staged): LoadFinding {
  const [finding] = judgeLoad(runOf(id === 'LATENCY' ? [] : [id], staged)).findings;
  if (finding === undefined) throw new Error('no finding');
  return finding;
}

/** A run that is judged by these expectations. */
export function runOf(expects: Profile['expects'], staged: Staged): LoadRun {
  const { scenarios, told, ended, stopped = [], latencyThresholdMs } = staged;
  const profile: Profile = {
    ...{
      id: 'smoke',
      description: 'A simulated run.',
      why: 'To be judged.',
      needs: [],
      banRisk: 'none',
      expects,
    },
    scenarios: () => scenarios.map(([key, steps]) => ({ key, steps })),
  };
  const counts = new Map<KeyAlias, number>();
  const samples = told.map((one) => {
    const key = one.key ?? 'key';
    const n = (counts.get(key) ?? 0) + 1;
    counts.set(key, n);
    const steps = scenarios.find(([name]) => name === key)?.[1] ?? [];
    return sampleOf(one, key, n, steps);
  });
  return {
    suite: { name: 'petstore-conformance', version: '0.1.0' },
    target: { baseUrl: 'http://127.0.0.1:8080/v1', plan: 'free' },
    profile,
    inputs: { limits: LIMITS, fleet: 1, minutes: 1 },
    trace: { samples, events: stopped },
    ended: ended ?? { how: 'finished', because: 'All was sent.' },
    startedAt: new Date(START).toISOString(),
    finishedAt: new Date(START + 60_000).toISOString(),
    environment: { k6: '2.2.0', node: '20.19.0', platform: 'linux x64', cpus: 2 },
    ...(latencyThresholdMs === undefined ? {} : { latencyThresholdMs }),
  };
}

function sampleOf(told: Told, key: KeyAlias, n: number, steps: readonly Step[]): Sample {
  const { step = 0, at, planned, took = 10 } = told;
  return {
    ...{ key, n, step, kind: steps[step]?.kind ?? 'preflight', operation: 'list' },
    planned: planned === undefined ? null : START + planned,
    sent: START + at,
    received: START + at + took,
    outcome: outcomeOf(told),
  };
}

function outcomeOf({
  at,
  silent,
  status = 200,
  left = 5,
  limit,
  resets = 60_000,
  wait,
}: Told): SampleOutcome {
  if (silent === true) return { kind: 'no-response', error: 'EOF' };
  const headers =
    left === null
      ? {}
      : {
          limit: String(limit ?? LIMITS.perMinute),
          remaining: String(left),
          reset: String((START + resets) / 1000),
        };
  const date = new Date(START + Math.floor(at / 1000) * 1000).toUTCString();
  return { kind: 'answer', status, date, ...headers, ...(wait === undefined ? {} : { retryAfter: wait }) };
}

/** So many requests one after the other, every `everyMs`, with Remaining counting down from the first. */
export const countdown = (
  requests: number,
  from: number,
  more: Partial<Told> = {},
  everyMs = 100,
): readonly Told[] =>
  Array.from({ length: requests }, (_, i) => ({
    ...more,
    at: (more.at ?? 0) + i * everyMs,
    left: Math.max(0, from - i),
  }));
