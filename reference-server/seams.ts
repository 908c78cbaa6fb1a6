import type { Plans } from '../spec/plans.ts';
import type { BanPolicy } from './ban.ts';
import type { Identify } from './callers.ts';
import type { CategoryStore } from './categories.ts';
import type { DemoKeys } from './demo-keys.ts';
import type { Limiter } from './limiter.ts';
import type { Answer } from './message.ts';
import type { BytesSeam } from './transmission.ts';

/** What a wrapper may know of the service it is built into. */
export interface Surroundings {
  /** Milliseconds since the Unix epoch, in whole numbers; the same for all of one request. */
  readonly now: () => number;
  readonly plans: Plans;
  readonly keys: DemoKeys;
  readonly ban: BanPolicy | undefined;
  /** The store behind the routes, as it is wrapped. */
  readonly categories: CategoryStore;
}

/**
 * The places at which a service can be given another behaviour without its
 * routes knowing: who the caller is, what the store keeps, how requests are
 * counted, the answer as a whole; and, where there is a socket, its bytes.
 */
export interface Seams {
  readonly wrapStore?: (store: CategoryStore) => CategoryStore;
  readonly wrapIdentify?: (identify: Identify, around: Surroundings) => Identify;
  readonly wrapLimiter?: (limiter: Limiter, around: Surroundings) => Limiter;
  readonly wrapService?: (answer: Answer, around: Surroundings) => Answer;
  readonly wrapBytes?: BytesSeam;
}
