import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { compareLoads } from '../../../load/compare/compare.ts';
import { ascending, latencyMs, latencySamples, latencySummaryOf } from '../../../load/model/latency.ts';
import type { Sample } from '../../../load/model/sample.ts';
import { loadFindingOf, loadRun } from '../../testing/reports/load-runs.ts';
import { seededBy } from '../../testing/suites/limiters.ts';

/** The kinds of sets that are compared. */
export const COMPARED = ['real-equal', 'simulated-equal', 'simulated-worse'] as const;
export type ComparedSets = (typeof COMPARED)[number];

/** How comparisons of two sets came out. */
interface Comparisons {
  /** What was compared, for the table. */
  readonly what: string;
  /** Runs in each set. */
  readonly runs: number;
  readonly comparisons: number;
  readonly regression: number;
  readonly undecided: number;
  readonly none: number;
}

/** What was measured of one kind of sets. */
export type Compared = readonly Comparisons[];

/** The tolerance of `compare` unless the user states another. */
const TOLERANCE = 0.1;

/** Two sets, the second perhaps worse. */
type SetPair = readonly [first: readonly LoadRecord[], second: readonly LoadRecord[]];

/** How the comparisons of these pairs came out. */
export function tally(what: string, runs: number, pairs: Iterable<SetPair>): Comparisons {
  const counts = { worse: 0, undecided: 0, 'not worse': 0 };
  for (const [first, second] of pairs) counts[compareLoads(first, second, TOLERANCE).outcome] += 1;
  const { worse: regression, undecided, 'not worse': none } = counts;
  const comparisons = regression + undecided + none;
  return { what, runs, comparisons, regression, undecided, none };
}

/** Two sets whose runs were recorded in turn. */
export const inTurn = (all: readonly LoadRecord[]): SetPair => [
  all.filter((_, at) => at % 2 === 0),
  all.filter((_, at) => at % 2 === 1),
];

/** Two sets, the second recorded right after the first. */
export const oneAfterTheOther = (all: readonly LoadRecord[]): SetPair => [
  all.slice(0, all.length / 2),
  all.slice(all.length / 2),
];

/** How the machine that sends disturbs the runs of a simulated set. */
interface Noise {
  readonly what: string;
  /** The spread of the median from run to run, as the standard deviation of its logarithm. */
  readonly spread: number;
  /** The share of a run's disturbance that lasts until the next one: 0 for runs that are independent. */
  readonly lasting: number;
  /** The weight of the tail: the exponent of a Pareto distribution, or 0 for none. */
  readonly tail: number;
}

const NOISES = {
  calm: { what: 'a calm machine', spread: 0.03, lasting: 0, tail: 0.2 },
  busy: { what: 'a busy machine', spread: 0.3, lasting: 0, tail: 0.5 },
  veryBusy: { what: 'a very busy machine', spread: 1, lasting: 0, tail: 0.9 },
  drifting: { what: 'a machine whose load changes slowly', spread: 0.3, lasting: 0.5, tail: 0.5 },
} as const satisfies Readonly<Record<string, Noise>>;

/** What the second set suffers besides. */
interface Degradation {
  readonly what: string;
  readonly factor: number;
  readonly addedMs: number;
  /** The share of requests that are slow by `tailMs` in addition. */
  readonly tailShare: number;
  readonly tailMs: number;
  /** The share of requests that fail. */
  readonly failing: number;
}

const HEALTHY: Degradation = {
  what: 'nothing',
  factor: 1,
  addedMs: 0,
  tailShare: 0,
  tailMs: 0,
  failing: 0,
};

const DEGRADATIONS: readonly Degradation[] = [
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
function simulatedRuns(
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

/** Equal simulated sets, recorded in turn; on a machine whose load changes slowly also one after the other. */
export const simulatedEqual = (comparisons: number): Compared => [
  ...Object.values(NOISES).map((noise) => simulated(noise.what, 6, comparisons, noise)),
  simulated(
    `${NOISES.drifting.what}, one set after the other`,
    6,
    comparisons,
    NOISES.drifting,
    HEALTHY,
    oneAfterTheOther,
  ),
];

/** Simulated sets whose second is worse: six runs on a calm machine, ten on a busy one. */
export const simulatedWorse = (comparisons: number): Compared =>
  DEGRADATIONS.flatMap((worse) => [
    simulated(`${worse.what}, on ${NOISES.calm.what}`, 6, comparisons, NOISES.calm, worse),
    simulated(`${worse.what}, on ${NOISES.busy.what}`, 10, comparisons, NOISES.busy, worse),
  ]);

/** @param runs in each set. @param second what every second run suffers. */
function simulated(
  what: string,
  runs: number,
  comparisons: number,
  noise: Noise,
  second = HEALTHY,
  pairOf = inTurn,
): Comparisons {
  const random = seededBy(what);
  const degradations = Array.from({ length: 2 * runs }, (_, at) => (at % 2 === 0 ? HEALTHY : second));
  const pairs = Array.from({ length: comparisons }, () => pairOf(simulatedRuns(noise, random, degradations)));
  return tally(what, runs, pairs);
}
