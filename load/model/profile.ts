import type { Limits } from '../../spec/plans.ts';

/**
 * The nouns of a load profile. Plain data and pure functions only: the same
 * files are read by Node, which previews and judges, and by k6, which is not Node.
 */

/** Every profile, in the order in which a newcomer would run them. */
export const PROFILE_IDS = [
  'smoke',
  'under',
  'at-limit',
  'over-limit',
  'recovery',
  'backoff',
  'offender',
  'isolation',
  'day-quota',
  'soak',
  'spike',
  'breakpoint',
] as const;

/** What `load` takes as PROFILE. */
export type ProfileId = (typeof PROFILE_IDS)[number];

/**
 * Whose key a lane uses. `key` is the key under test; `other` belongs to
 * another caller; `disposable` may be banned. A fleet is as many keys as the
 * user gives, named `fleet-1`, `fleet-2`…: no key of it ever leaves its own lane.
 */
export type KeyAlias = 'key' | 'other' | 'disposable' | `fleet-${number}`;

/** What one request asks: the list, or the creation of a category that will remain on the target. */
export type Operation = 'list' | 'create';

/**
 * One thing a lane does. Every step sends exactly the requests it states, or
 * the run is stopped and says why. Times are in milliseconds.
 */
export type Step =
  /** One request that shows that the target is the service, and the key of the plan; it counts like any other. */
  | { readonly kind: 'preflight' }
  /**
   * Sends nothing. Waits until nothing that was sent before can weigh on the
   * next step, or cut it in two: on for two windows where the look showed the key in
   * use, past the Reset where that is nearer than `lastsMs` and the guard.
   */
  | { readonly kind: 'await full quota'; readonly lastsMs: number }
  /**
   * Evenly spaced over `overMs`, each at its own absolute deadline whatever the answers do: the first one
   * interval (`overMs / requests`) after the step began, the last at its end. So a look before it and a paced
   * step after it continue the same even row.
   */
  | {
      readonly kind: 'paced';
      readonly requests: number;
      readonly overMs: number;
      readonly operation: Operation;
    }
  /** As fast as the target answers, with never more than `atOnce` under way. */
  | { readonly kind: 'burst'; readonly requests: number; readonly atOnce: number }
  /**
   * Sends nothing. Waits out the longest Retry-After that this lane was given since it last waited one out, and
   * `guardMs` more; where it was given none since, waits for nothing.
   */
  | { readonly kind: 'await retry-after'; readonly guardMs: number }
  /**
   * One request after the other, as a well-behaved client: after a 429 it waits
   * Retry-After and a random share (full jitter) of an exponential backoff of `backoffMs`, doubled with
   * every further 429 in a row, up to `longestBackoffMs`.
   */
  | {
      readonly kind: 'polite';
      readonly requests: number;
      readonly backoffMs: number;
      readonly longestBackoffMs: number;
    }
  /** Goes on without regard to what is answered, a ban included, `everyMs` apart; after it a ban stops the lane no more. */
  | { readonly kind: 'persist'; readonly requests: number; readonly everyMs: number };

/** What one key does, from the start of the run. A key has one lane, so that nothing else can disturb its count. */
export interface Scenario {
  readonly key: KeyAlias;
  readonly steps: readonly Step[];
}

/** What must hold for a profile to pass; each is judged by one object of its own in `load/judging`. */
export type ExpectationId =
  /** Every request that was planned was sent, at its time, and nothing of the script failed. */
  | 'SENT'
  /** Every answer is the service's: 200 or 201, or 429; three rate-limit headers; the plan's Limit. */
  | 'CONTRACT'
  /** No request is refused for its rate. */
  | 'NO-429'
  /** No 5xx and no connection lost. */
  | 'NO-5XX'
  /** A limit that nothing was used of accepts all of it. */
  | 'FLOOR'
  /** No more is accepted than any lawful limiter accepts. */
  | 'CEILING'
  /** Beyond the limit there is at least one 429, and each has a Retry-After. */
  | 'RATE-LIMITED'
  /** Nobody is refused for the minute right after Remaining was above zero. */
  | 'REMAINING'
  /** A request after Retry-After is accepted. */
  | 'RECOVERY'
  /** A client that waits as told gets nine tenths of its limit through, and every wait earns an answer. */
  | 'GOODPUT'
  /** A key that keeps to Retry-After is not banned. */
  | 'NO-BAN'
  /** What one key does leaves the other alone: no 429, and no slower. */
  | 'NEIGHBOUR'
  /** The day's quota is accepted, the next request refused until the day is over. */
  | 'DAY'
  /** Latency from the intended send time stays below the bar; judged only where the user sets one. */
  | 'LATENCY';

/** What a profile needs beyond the key of the plan. */
export type Need =
  /** A key of another caller. */
  | 'other key'
  /** A key that may be banned. */
  | 'disposable key'
  /** Leave to use up a whole day's quota, or a plan file with a short day. */
  | 'a day to spend';

/** What a profile is made from. */
export interface ProfileInputs {
  readonly limits: Limits;
  /** How many keys the fleet has; at least 1. Profiles without a fleet pay no heed. */
  readonly fleet: number;
  /** How long a soak lasts, in windows of a minute. */
  readonly minutes: number;
}

/** One load profile: typed data from which k6's options, the preview, the checks, the documents and the manifests come. */
export interface Profile {
  readonly id: ProfileId;
  /** What it does, in one sentence. */
  readonly says: string;
  /** Why somebody would run it, in one sentence. */
  readonly why: string;
  readonly needs: readonly Need[];
  /** Whether it may get a key banned where the target bans. */
  readonly banRisk: 'none' | 'low' | 'meant to';
  readonly expects: readonly Exclude<ExpectationId, 'LATENCY'>[];
  scenarios(inputs: ProfileInputs): readonly Scenario[];
}
