import type { Shape, Static } from '../../kernel/basics/shape.ts';
import {
  count,
  exactly,
  listOf,
  maybe,
  number,
  object,
  positive,
  text,
  where,
} from '../../kernel/basics/shape.ts';
import type { Threshold } from '../../kernel/findings/load.ts';
import { thresholdShape } from '../../kernel/findings/load.ts';
import type { Limits } from '../../spec/plans.ts';
import { limitsShape } from '../../spec/plans.ts';
import type { ExpectationId } from '../../spec/register.ts';

const capacity = object({
  perSecond: positive,
  /** Its duration, the ramp included. */
  seconds: positive,
  /** How long the rate rises evenly from zero. */
  rampSeconds: number,
  createShare: number,
  arrivals: exactly('even', 'poisson'),
});
export type CapacityInputs = Static<typeof capacity>;

/** Consecutive keys of a fleet that belong to one plan. */
const fleetPlan = object({
  plan: text,
  limits: limitsShape,
  keys: count,
});
export type FleetPlan = Static<typeof fleetPlan>;

export const inputsShape = where(
  object({
    limits: limitsShape,
    /** How many keys the fleet has; at least 1. Profiles without a fleet ignore it. */
    fleet: positive,
    /** The plans of the keys of the fleet, in their order; absent where all belong to the plan of `limits`. */
    fleetPlans: maybe(listOf(fleetPlan)),
    /** How long a soak lasts, in windows of a minute. */
    minutes: positive,
    /** What a capacity run sends; its default where it is absent. Other profiles ignore it. */
    capacity: maybe(capacity),
    /** The user states that no other client uses the keys during the run. Absent where that is unknown; changes no scenario. */
    exclusiveKeys: maybe(exactly(true)),
  }),
  ({ fleet, fleetPlans }) =>
    fleetPlans === undefined || fleetPlans.reduce((sum, { keys }) => sum + keys, 0) === fleet,
  'must have a plan for each key of the fleet',
);
export type ProfileInputs = Static<typeof inputsShape>;

/**
 * The nouns of a load profile. Plain data and pure functions only: the same
 * files are read by Node, which previews and judges, and by k6, which is not Node.
 */

/**
 * Which key a scenario uses. `key` is the key under test; `other` belongs to
 * another caller; `disposable` may get banned. A fleet has as many keys as the
 * user gives, named `fleet-1`, `fleet-2`…; each is used in its own scenario only.
 */
export type KeyAlias = 'key' | 'other' | 'disposable' | `fleet-${number}`;

/** What a request does: read the list, or create a category, which stays on the target. */
export type Operation = 'list' | 'create';

/**
 * One step of a scenario. A step sends exactly the number of requests it states;
 * otherwise the run stops and says why. Times are in milliseconds.
 */
export type Step =
  /** One request that checks target, key and plan; it counts like any other. */
  | { readonly kind: 'preflight' }
  /**
   * Sends nothing. Waits until the quota is full and the window lasts long enough for the next step:
   * two windows where the preflight request showed the key in use, and until after Reset where
   * Reset is closer than `neededMs` and a safety margin.
   */
  | { readonly kind: 'await full quota'; readonly neededMs: number }
  /**
   * A paced step that follows another one begins `overMs` after the start of that one, also while its last requests
   * are in flight: so all keys of a fleet change their rates at the same moment.
   */
  | Even<'paced'>
  /** One request at each of these moments, in milliseconds from the start of the step, ascending, whatever the responses are; a creation where `creates` says so. */
  | {
      readonly kind: 'scheduled';
      readonly requests: number;
      readonly dueMs: readonly number[];
      readonly creates: readonly boolean[];
    }
  /** Sends nothing for so long, and why, in a clause for a person. */
  | { readonly kind: 'rest'; readonly forMs: number; readonly because: string }
  /** As fast as the target responds, with at most `concurrency` requests in flight. */
  | { readonly kind: 'burst'; readonly requests: number; readonly concurrency: number }
  /**
   * Sends nothing. Waits for the longest Retry-After, of a 429 or of a ban, received since the scenario last waited
   * for one, plus `marginMs`; does not wait where none was received since then.
   */
  | { readonly kind: 'await retry-after'; readonly marginMs: number }
  /**
   * One request after the other, as a well-behaved client sends them: after a 429 it waits
   * Retry-After plus a random share (full jitter) of an exponential backoff of `backoffMs`, doubled for
   * each further 429 in a row, up to `longestBackoffMs`.
   */
  | {
      readonly kind: 'polite';
      readonly requests: number;
      readonly backoffMs: number;
      readonly longestBackoffMs: number;
    }
  /** Keeps sending beyond the limit; a ban does not stop it. */
  | Even<'persist'>;

/** Requests evenly spaced over `overMs`. Each has its own absolute send time, whatever the responses are. */
interface Even<Kind extends string> {
  readonly kind: Kind;
  readonly requests: number;
  readonly overMs: number;
  /**
   * At which part of each interval (`overMs / requests`) its request is due: above 0, at most 1. With 1 the
   * first one is due an interval after the start of the step and the last at its end, so that a preflight request
   * before it and a paced step after it continue at the same even pace.
   */
  readonly turn: number;
  readonly operation: Operation;
}

export const EXCEEDING_STEPS: ReadonlySet<Step['kind']> = new Set(['burst', 'persist', 'polite']);

export type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

/** A step whose requests are due at moments that are known beforehand. */
export type Scheduled = StepOf<'paced' | 'scheduled' | 'persist'>;

/** The requests of one key, from the start of the run. A key has one scenario, so that nothing else of the run affects its count. */
export interface Scenario {
  readonly key: KeyAlias;
  /** The limits of its key: the keys of a fleet may belong to several plans. */
  readonly limits: Limits;
  readonly steps: readonly Step[];
}

/** One load profile: typed data from which k6's options, the preview, the checks, the documents and the manifests are made. */
export interface Profile {
  readonly id: string;
  readonly description: string;
  readonly why: string;
  readonly expects: readonly ExpectationId[];
  scenarios(inputs: ProfileInputs): readonly Scenario[];
}

export const QUANTITIES = ['p50', 'p95', 'p99', 'errorRate', 'minimumRate'] as const;

const threshold = where(
  thresholdShape,
  (rule) => QUANTITIES.some((name) => rule[name] !== undefined),
  `bounds nothing; it needs one of ${QUANTITIES.join(', ')}`,
  { anyOf: QUANTITIES.map((name) => ({ required: [name] })) },
);
export const thresholdsShape: Shape<readonly Threshold[]> = listOf(threshold, 1);

export type Quantity = (typeof QUANTITIES)[number];
