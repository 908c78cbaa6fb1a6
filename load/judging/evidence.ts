import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import type { Series } from '../../kernel/rate-limits/series/series.ts';
import type { Limits } from '../../spec/plans.ts';
import type { KeyAlias, Step } from '../model/profile.ts';
import type { Sample, ScenarioEvent } from '../model/sample.ts';
import type { Latencies } from './latencies.ts';
import type { OperationTallies } from './operation-tally.ts';

/** The requests of one key and their responses. */
export interface ScenarioEvidence {
  readonly key: KeyAlias;
  /** The name of its plan, as the user states it. */
  readonly plan: string;
  /** The limits of its plan. */
  readonly limits: Limits;
  readonly steps: readonly Step[];
  /** How many requests were planned. */
  readonly planned: number;
  /** In the order of sending. Of a long run, those that `oneOf` of the evidence keeps. */
  readonly samples: readonly Sample[];
  /** The same requests as `kernel/rate-limits` reads them; empty once a key of a long run was judged. */
  readonly exchanges: readonly Exchange[];
  /** Stretches of use without a pause of a window; empty as well. */
  readonly series: readonly Series[];
  readonly stopped: Extract<ScenarioEvent, { kind: 'stopped' }> | undefined;
  /** Whether the user states that no other client uses the key: then every unexpected 429 counts against the target. */
  readonly exclusive: boolean;
  /** What shows another client of the key, in one sentence; undefined where nothing does, or where the user excludes one. */
  readonly anotherClient: string | undefined;
  /** What is wrong with the clocks of its requests, in one sentence; undefined where they kept time. */
  readonly clocks: string | undefined;
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

/** How many requests of a key had a planned send time, how many of them were late, and how late the latest was, in milliseconds. */
export interface Lateness {
  readonly scheduled: number;
  readonly late: number;
  readonly worstMs: number;
}

/** The failed requests with which a scenario ends: the first and the last of them. */
export interface FailedAtEnd {
  readonly first: Sample;
  readonly last: Sample;
}

/** The lowest Remaining of each window, early and late in a run with a constant load. */
export interface CounterDrift {
  /** Medians of the first and of the last third of the windows. */
  readonly early: number;
  readonly late: number;
  /** Whether they differ by more than the border of a window explains. */
  readonly drifted: boolean;
}

/** Counts of the requests of a key. */
export interface RequestTally {
  readonly requests: number;
  readonly accepted: number;
  readonly rateLimited: number;
  readonly serverErrors: number;
  readonly firstServerError: Exchange | undefined;
  /** Responses that came and that k6 could not read. */
  readonly malformed: number;
  readonly firstMalformed: Exchange | undefined;
  readonly lost: number;
  readonly firstLost: Exchange | undefined;
  /** The shortest time since the last response before a request that got none, in milliseconds; infinite where each got one. */
  readonly quietBeforeLost: number;
  /** Whether a request was recorded more than once. */
  readonly repeated: boolean;
}

/** What every expectation judges. Pure data. */
export interface LoadEvidence {
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
