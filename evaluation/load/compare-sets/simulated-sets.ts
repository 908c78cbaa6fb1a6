import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { ascending, latencyMs, latencySamples, latencySummaryOf } from '../../../load/model/latency.ts';
import type { Sample } from '../../../load/model/sample.ts';
import { loadFindingOf, loadRun } from '../../testing/reports/load-runs.ts';

/** How the machine that sends disturbs the runs of a simulated set. */
export interface Noise {
  readonly what: string;
  /** The spread of the median from run to run, as the standard deviation of its logarithm. */
  readonly spread: number;
  /** The share of a run's disturbance that lasts until the next one: 0 for runs that are independent. */
  readonly lasting: number;
  /** The weight of the tail: the exponent of a Pareto distribution, or 0 for none. */
  readonly tail: number;
}

export const NOISES = {
  calm: { what: 'a calm machine', spread: 0.03, lasting: 0, tail: 0.2 },
  busy: { what: 'a busy machine', spread: 0.3, lasting: 0, tail: 0.5 },
  veryBusy: { what: 'a very busy machine', spread: 1, lasting: 0, tail: 0.9 },
  drifting: { what: 'a machine whose load changes slowly', spread: 0.3, lasting: 0.5, tail: 0.5 },
} as const satisfies Readonly<Record<string, Noise>>;

/** What the second set suffers besides. */
export interface Degradation {
  readonly what: string;
  readonly factor: number;
  readonly addedMs: number;
  /** The share of requests that are slow by `tailMs` in addition. */
  readonly tailShare: number;
  readonly tailMs: number;
  /** The share of requests that fail. */
  readonly failing: number;
}

export const HEALTHY: Degradation = {
  what: 'nothing',
  factor: 1,
  addedMs: 0,
  tailShare: 0,
  tailMs: 0,
  failing: 0,
};

export const DEGRADATIONS: readonly Degradation[] = [
  { ...HEALTHY, what: 'half as slow again', factor: 1.5 },
  { ...HEALTHY, what: 'twice as slow', factor: 2 },
  { ...HEALTHY, what: '20 ms more', addedMs: 20 },
  { ...HEALTHY, what: '1 of 3 requests 30 ms slower', tailShare: 1 / 3, tailMs: 30 },
  { ...HEALTHY, what: '1 of 20 requests 100 ms slower', tailShare: 0.05, tailMs: 100 },
  { ...HEALTHY, what: '1 of 5 requests fails', failing: 0.2 },
];

/** Requests of a run: those of `under` with a Free key. */
const REQUESTS = 109;

/** The median latency of the undisturbed service, in milliseconds. */
const BASE_MS = 8;

const { record: base } = loadRun('http://127.0.0.1/v1', 'conforms');

/** Simulates runs one after another. @param random from 0 up to, but not including, 1. */
export function simulatedRuns(
  { spread, lasting, tail }: Noise,
  random: () => number,
  degradations: readonly Degradation[],
): readonly LoadRecord[] {
  let disturbance = normal(random);
  return degradations.map((degradation, at) => {
    disturbance = lasting * disturbance + Math.sqrt(1 - lasting ** 2) * normal(random);
    return simulatedRun(BASE_MS * Math.exp(spread * disturbance), tail, random, degradation, at + 1);
  });
}

function simulatedRun(
  disturbed: number,
  tail: number,
  random: () => number,
  { factor, addedMs, tailShare, tailMs, failing }: Degradation,
  minute: number,
): LoadRecord {
  const samples = Array.from({ length: REQUESTS }, (_, n): Sample => {
    const own = disturbed * ((1 - random()) ** -tail - 0.5 + 0.2 * random());
    const slow = random() < tailShare ? tailMs : 0;
    return {
      ...{ key: 'key', n, step: 1, kind: 'paced', operation: 'list', planned: null, sent: 0 },
      received: factor * own + addedMs + slow,
      outcome: { kind: 'answer', status: random() < failing ? 500 : 200 },
    };
  });
  const failed = samples.filter(({ outcome }) => outcome.kind === 'answer' && outcome.status === 500).length;
  const counts = { planned: REQUESTS, sent: REQUESTS, accepted: REQUESTS - failed, rateLimited: 0, failed };
  return {
    ...base,
    startedAt: new Date(60_000 * minute).toISOString(),
    latencyMs: latencySummaryOf(ascending(latencySamples(samples).map(latencyMs))),
    scheduleDelayMs: null,
    requirements: base.requirements.map(({ id }) => loadFindingOf(id, 'pass', 'It passed.')),
    keys: [{ key: 'key', ...counts }],
  };
}

/** A standard normal number (Box and Muller). */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
