import type { Plans } from '../../spec/plans.ts';
import type { BanPolicy } from '../limiters/ban.ts';
import { withBan } from '../limiters/ban.ts';
import type { AlgorithmName } from '../limiters/index.ts';
import { DEFAULT_ALGORITHM } from '../limiters/index.ts';
import { createLimiter } from '../limiters/limiter.ts';
import type { SeamContext, Seams } from '../seams.ts';
import type { DemoKeys } from './callers.ts';
import { callersByKey, demoKeys, identifyBy } from './callers.ts';
import { createCategoryStore } from './categories.ts';
import type { RequestHandler } from './message.ts';
import { completeResponse, createRouter, respond } from './routes.ts';

/** The clock of the service. Tests inject their own. */
interface Clock {
  /** Milliseconds since the Unix epoch. Never decreases. */
  now(): number;
}

/**
 * The wall clock at start-up plus the monotonic clock since then, so that an
 * adjustment of the machine's clock changes the length of no window.
 */
export const systemClock: Clock = { now: () => performance.timeOrigin + performance.now() };

export interface ServiceOptions {
  readonly plans: Plans;
  readonly clock: Clock;
  /** How the minute is counted; a fixed window from the first request by default. */
  readonly algorithm?: AlgorithmName;
  /** Other behaviour, built in at the seams. */
  readonly seams?: Seams;
  /** When a key is banned; never by default. */
  readonly ban?: BanPolicy;
  /** The valid keys; the demo keys by default. */
  readonly keys?: DemoKeys;
}

/** The Pet Store Service without sockets. */
export interface Service {
  readonly keys: DemoKeys;
  readonly handle: RequestHandler;
}

/**
 * Builds the service: identify, count, route, complete. A request is counted
 * before it is routed, so every response can state what its caller has left.
 */
export function createService(options: ServiceOptions): Service {
  const { plans, clock, ban, seams = {} } = options;
  const keys = options.keys ?? demoKeys(plans);
  const store = createCategoryStore();
  const categories = seams.wrapStore?.(store) ?? store;
  const context: SeamContext = { now: () => Math.floor(clock.now()), plans, keys, ban, categories };

  const callers = callersByKey(keys, plans);
  const byKey = identifyBy(callers, plans);
  const identify = seams.wrapIdentify?.(byKey, context) ?? byKey;

  const exhausted = keys.exhausted.flatMap((key) => callers.get(key) ?? []);
  const counting = createLimiter(options.algorithm ?? DEFAULT_ALGORITHM, exhausted, context.now());
  const banning = ban === undefined ? counting : withBan(counting, ban);
  const limiter = seams.wrapLimiter?.(banning, context) ?? banning;

  const route = createRouter(categories);
  const handle: RequestHandler = (request) => {
    const now = context.now();
    const identity = identify(request);
    const decision = limiter(identity.caller, request, now);
    return completeResponse(respond(request, identity, decision, now, route), decision, now);
  };
  return { keys, handle: seams.wrapService?.(handle, context) ?? handle };
}
