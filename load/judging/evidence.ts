import type { Exchange } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { accepted, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Series } from '../../rate-limits/series/series.ts';
import { seriesOf } from '../../rate-limits/series/series.ts';
import type { Limits } from '../../spec/plans.ts';
import type { KeyAlias, Profile, ProfileInputs, Scenario, Step } from '../model/profile.ts';
import type { LoadRecord } from '../model/record.ts';
import type { KeyTrace, Sample, ScenarioEvent } from '../model/sample.ts';
import { scenarioRequests } from '../profiles/requests.ts';
import { anotherClientShown } from './another-client.ts';
import type { FailedAtEnd } from './breakdown.ts';
import { failedAtEnd } from './breakdown.ts';
import type { Lateness } from './completeness.ts';
import { latenessOf } from './completeness.ts';
import type { CounterDrift } from './counter-drift.ts';
import { counterDrift } from './counter-drift.ts';
import { exchangeOf } from './exchanges.ts';
import type { Latencies } from './latencies.ts';
import type { OperationTallies } from './operation-tally.ts';
import { operationTallies } from './operation-tally.ts';
import { dueAt } from './phases.ts';

/** The requests of one key and their responses. */
export interface ScenarioEvidence {
  readonly key: KeyAlias;
  /** The limits of its plan. */
  readonly limits: Limits;
  readonly steps: readonly Step[];
  /** How many requests were planned. */
  readonly planned: number;
  /** In the order of sending. Of a long run, those that `oneOf` of the evidence keeps. */
  readonly samples: readonly Sample[];
  /** The same requests as `rate-limits/` reads them; empty once a key of a long run was judged. */
  readonly exchanges: readonly Exchange[];
  /** Stretches of use without a pause of a window; empty as well. */
  readonly series: readonly Series[];
  readonly stopped: Extract<ScenarioEvent, { kind: 'stopped' }> | undefined;
  /** Whether the user states that no other client uses the key: then what one could have caused counts against the target. */
  readonly exclusive: boolean;
  /** What shows another client of the key, in one sentence; undefined where nothing does, or where the user excludes one. */
  readonly anotherClient: string | undefined;
  /** Counts of all its requests. */
  readonly tally: RequestTally;
  /** Counts of all its requests by operation. */
  readonly operations: OperationTallies;
  readonly lateness: Lateness;
  readonly failedAtEnd: FailedAtEnd | undefined;
  readonly drift: CounterDrift | undefined;
  /** When the requests of each step were due, by its position. */
  readonly stepsDue: ReadonlyMap<number, StepDue>;
}

/** When the first and the last request of a step were due, milliseconds since the Unix epoch, and how many there were. */
export interface StepDue {
  readonly first: number;
  readonly last: number;
  readonly requests: number;
}

/** Counts of the requests of a key. */
export interface RequestTally {
  readonly requests: number;
  readonly accepted: number;
  readonly rateLimited: number;
  readonly serverErrors: number;
  readonly firstServerError: Exchange | undefined;
  readonly lost: number;
  readonly firstLost: Exchange | undefined;
  /** Whether a request was recorded more than once. */
  readonly repeated: boolean;
}

/** What every expectation judges. Pure data. */
export interface LoadEvidence {
  readonly profile: Profile;
  readonly limits: Limits;
  readonly scenarios: readonly ScenarioEvidence[];
  readonly ended: LoadRecord['ended'];
  /** The latencies of all requests of the run so far. */
  readonly latencies: Latencies;
  /** One of so many requests of each key is in `samples`; 1 where all are. */
  readonly oneOf: number;
}

/** The exchanges of all scenarios. */
export const exchangesOf = (scenarios: readonly ScenarioEvidence[]): readonly Exchange[] =>
  scenarios.flatMap(({ exchanges }) => exchanges);

/** Puts the trace of a key into the shape in which it is judged. */
export function scenarioEvidence(
  scenario: Scenario,
  trace: KeyTrace,
  { limits, exclusiveKeys }: Pick<ProfileInputs, 'limits' | 'exclusiveKeys'>,
): ScenarioEvidence {
  const samples = [...trace.samples].sort((a, b) => a.sent - b.sent || a.n - b.n);
  const exchanges = samples.map(exchangeOf);
  const series = seriesOf(exchanges, limits);
  return {
    key: scenario.key,
    limits,
    steps: scenario.steps,
    planned: scenarioRequests(scenario),
    samples,
    exchanges,
    series,
    stopped: trace.events.find((event) => event.kind === 'stopped'),
    exclusive: exclusiveKeys === true,
    anotherClient: exclusiveKeys === true ? undefined : anotherClientShown(series, limits),
    tally: tallyOf(exchanges),
    operations: operationTallies(samples),
    lateness: latenessOf(samples),
    failedAtEnd: failedAtEnd(samples),
    drift: counterDrift(exchanges, limits),
    stepsDue: stepsDueIn(samples),
  };
}

function stepsDueIn(samples: readonly Sample[]): ReadonlyMap<number, StepDue> {
  const steps = new Map<number, StepDue>();
  for (const sample of samples) {
    const due = dueAt(sample);
    const { first, last, requests } = steps.get(sample.step) ?? { first: due, last: due, requests: 0 };
    steps.set(sample.step, {
      first: Math.min(first, due),
      last: Math.max(last, due),
      requests: requests + 1,
    });
  }
  return steps;
}

function tallyOf(exchanges: readonly Exchange[]): RequestTally {
  const serverErrors = exchanges.filter((one) => (statusOf(one) ?? 0) >= 500);
  const lost = exchanges.filter(({ outcome }) => outcome.kind === 'no-response');
  return {
    requests: exchanges.length,
    accepted: exchanges.filter(accepted).length,
    rateLimited: exchanges.filter(isRateLimited).length,
    serverErrors: serverErrors.length,
    firstServerError: serverErrors[0],
    lost: lost.length,
    firstLost: lost[0],
    repeated: new Set(exchanges.map(({ n }) => n)).size !== exchanges.length,
  };
}

/**
 * The evidence of a key of a long run after it was judged by itself: every n-th sample, for the comparison
 * with the other keys, and the counts of all. Keys begin at different samples, so that they do not all keep the same ones.
 */
export function thinned(evidence: ScenarioEvidence, oneOf: number, position: number): ScenarioEvidence {
  const samples = evidence.samples.filter((_, at) => (at + position) % oneOf === 0);
  return { ...evidence, samples, exchanges: [], series: [] };
}
