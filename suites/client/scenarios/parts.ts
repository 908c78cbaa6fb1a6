import type { Reply, RetryAfter, Scenario } from '../model/scenario.ts';

/** What most scenarios share: they are played once in every run, and script both operations. */
export const once = { operation: 'any', repetitions: 1, when: 'always' } as const satisfies Partial<Scenario>;

/** What the specification says of a good request. */
export const served = { kind: 'served' } as const satisfies Reply;

/** A 429 response at once. */
export const limited = (retryAfter: RetryAfter): Reply => ({ kind: 'rate-limited', retryAfter });

/** The same with Retry-After in seconds. */
export const limitedFor = (seconds: number): Reply => limited({ form: 'seconds', seconds });

/**
 * For so long (seconds) a 429 is held where more than one call is waiting. What a client sends at the same time, although
 * it was given one task, has arrived before the 429 is stamped, or is seen to be in flight. And a wait that is counted
 * from the request ends too early. It is no time that timeouts are usually set to: a client that gives a request up while
 * its 429 is on the way has not read it.
 */
const HELD_SECONDS = 0.37;

/** A 429 response that is held. */
export const held = (retryAfter: RetryAfter): Reply => ({
  kind: 'rate-limited',
  retryAfter,
  heldSeconds: HELD_SECONDS,
});

/** The same with Retry-After in seconds. */
export const heldFor = (seconds: number): Reply => held({ form: 'seconds', seconds });
