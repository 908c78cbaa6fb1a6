import type { RequestHandler } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { errorBody } from './category-store.ts';
import { startExpressApp } from './express-app.ts';
import type { AppSettings, RunningApp } from './third-party.ts';
import { ANONYMOUS_LIMIT, rateLimitHeaders, retryAfterHeader, validKey } from './third-party.ts';

/** The headers of a response, from the result of the limiter; unauthenticated requests have another `limit`. */
type Headers = (result: RateLimiterRes, limit: number) => Record<string, string>;

function startLimited(settings: AppSettings, headers: Headers): Promise<RunningApp> {
  const { keys, perMinute, windowSeconds } = settings;
  const callers = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
  const anonymous = new RateLimiterMemory({ points: ANONYMOUS_LIMIT, duration: windowSeconds });
  const limiter: RequestHandler = async (request, response, next) => {
    const key = validKey(request.get('Authorization'), keys);
    const bucket = key === undefined ? anonymous : callers;
    // Beyond the limit the promise rejects with the result.
    const result = await bucket.consume(key ?? request.ip ?? '').catch((rejection: unknown) => rejection);
    if (!(result instanceof RateLimiterRes)) return next(result);
    response.set(headers(result, bucket.points));
    if (result.consumedPoints <= bucket.points) return next();
    response.status(429).json(errorBody(429, 'too_many_requests', 'Too many requests.'));
  };
  return startExpressApp(settings, limiter);
}

const resetOf = ({ msBeforeNext }: RateLimiterRes): number => Date.now() + msBeforeNext;

/** With the headers of its README: Retry-After is `msBeforeNext / 1000`, on every response. */
export function startRateLimiterFlexible(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, (result, limit) => ({
    ...rateLimitHeaders({ limit, remaining: result.remainingPoints, resetAt: resetOf(result) }),
    'Retry-After': String(result.msBeforeNext / 1000),
  }));
}

/** With Retry-After in whole seconds, only on a 429. */
export function startRateLimiterFlexibleConfigured(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, (result, limit) => ({
    ...rateLimitHeaders({ limit, remaining: result.remainingPoints, resetAt: resetOf(result) }),
    ...(result.consumedPoints > limit ? retryAfterHeader(resetOf(result)) : {}),
  }));
}
