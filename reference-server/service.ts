import type { Plans } from '../spec/plans.ts';
import type { BanPolicy } from './ban.ts';
import { withBan } from './ban.ts';
import type { Identity } from './callers.ts';
import { callersByKey, identifyBy } from './callers.ts';
import { createCategoryStore } from './categories.ts';
import type { Clock } from './clock.ts';
import type { DemoKeys } from './demo-keys.ts';
import { demoKeys } from './demo-keys.ts';
import type { Decision } from './limiter.ts';
import { createLimiter } from './limiter.ts';
import type { AlgorithmName } from './limiters/index.ts';
import { DEFAULT_ALGORITHM } from './limiters/index.ts';
import type { Answer, HeaderLine, Outcome, Response } from './message.ts';
import { errorResponse } from './message.ts';
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
    if (!decision.allowed) return complete(tooManyRequests(decision, now), decision, now);
    return complete(identity.caller.known ? route(request) : unauthorized(identity), decision, now);
  };
  return { keys, answer: fault.wrapService?.(answer, around) ?? answer };
}

/** Every answer carries the limit's headers, the time it was made, and what keeps it out of caches. */
function complete({ status, headers, body }: Response, decision: Decision, now: number): Outcome {
  const common: readonly HeaderLine[] = [
    ['X-RateLimit-Limit', String(decision.limit)],
    ['X-RateLimit-Remaining', String(decision.remaining)],
    ['X-RateLimit-Reset', String(Math.ceil(decision.resetAt / 1000))],
    ['Date', dateText(Math.floor(now / 1000))],
    ['Cache-Control', 'no-store'],
    ['Content-Length', String(body.length)],
  ];
  return { kind: 'response', status, headers: [...headers, ...common], body };
}

/** The HTTP-date (RFC 9110 §5.6.7) of a Unix second. Kept, since all answers of a second say it. */
function dateText(second: number): string {
  if (lastDate?.second !== second) lastDate = { second, text: new Date(second * 1000).toUTCString() };
  return lastDate.text;
}

let lastDate: { readonly second: number; readonly text: string } | undefined;

/** Whole seconds, rounded up: a client that waits them out is never early (RFC 9110 §10.2.3). */
function tooManyRequests({ retryAt }: Decision, now: number): Response {
  const seconds = Math.ceil((retryAt - now) / 1000);
  return errorResponse(429, 'rate_limit_exceeded', `Too many requests; retry after ${seconds} s.`, [
    ['Retry-After', String(seconds)],
  ]);
}

/** RFC 6750 §3.1: an error code only where credentials came that did not do. */
function unauthorized({ presented }: Identity): Response {
  const [challenge, message] = presented
    ? ['Bearer realm="petstore", error="invalid_token"', 'The API key is not valid.']
    : ['Bearer realm="petstore"', 'Send an API key as Authorization: Bearer <API_KEY>.'];
  return errorResponse(401, 'unauthorized', message, [['WWW-Authenticate', challenge]]);
}
