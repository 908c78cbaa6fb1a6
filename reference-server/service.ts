import type { Plans } from '../spec/plans.ts';
import type { BanPolicy } from './ban.ts';
import { withBan } from './ban.ts';
import { callersByKey, identifyBy } from './callers.ts';
import { createCategoryStore } from './categories.ts';
import type { Clock } from './clock.ts';
import { complete, respond } from './completion.ts';
import type { DemoKeys } from './demo-keys.ts';
import { demoKeys } from './demo-keys.ts';
import { createLimiter } from './limiter.ts';
import type { AlgorithmName } from './limiters/index.ts';
import { DEFAULT_ALGORITHM } from './limiters/index.ts';
import type { Answer } from './message.ts';
import { createRouter } from './routes.ts';
import type { Seams, Surroundings } from './seams.ts';

/** What a service is made of. */
export interface ServiceOptions {
  readonly plans: Plans;
  readonly clock: Clock;
  /** How the minute is counted; a fixed window from the first request unless said otherwise. */
  readonly algorithm?: AlgorithmName;
  /** A fault, or any other behaviour, built into the seams. */
  readonly fault?: Seams;
  /** No key is ever banned unless a policy is given. */
  readonly ban?: BanPolicy;
  /** The keys that are valid; the demo keys unless others are given. */
  readonly keys?: DemoKeys;
}

/** The Pet Store Service without sockets. */
export interface Service {
  readonly keys: DemoKeys;
  readonly answer: Answer;
}

/**
 * Builds the service: identify, count, route, complete. A request is counted
 * before it is routed, so every answer knows what its caller has left.
 */
export function createService(options: ServiceOptions): Service {
  const { plans, clock, ban, fault = {} } = options;
  const keys = options.keys ?? demoKeys(plans);
  const store = createCategoryStore();
  const categories = fault.wrapStore?.(store) ?? store;
  const around: Surroundings = { now: () => Math.floor(clock.now()), plans, keys, ban, categories };

  const callers = callersByKey(keys, plans);
  const byKey = identifyBy(callers, plans);
  const identify = fault.wrapIdentify?.(byKey, around) ?? byKey;

  const spent = keys.spent.flatMap((key) => callers.get(key) ?? []);
  const counting = createLimiter(options.algorithm ?? DEFAULT_ALGORITHM, spent, around.now());
  const banning = ban === undefined ? counting : withBan(counting, ban);
  const limiter = fault.wrapLimiter?.(banning, around) ?? banning;

  const route = createRouter(categories);
  const answer: Answer = (request) => {
    const now = around.now();
    const identity = identify(request);
    const decision = limiter.spend(identity.caller, request, now);
    return complete(respond(request, identity, decision, now, route), decision, now);
  };
  return { keys, answer: fault.wrapService?.(answer, around) ?? answer };
}
