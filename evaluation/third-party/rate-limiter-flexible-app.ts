import type { RequestHandler } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { errorBody } from './category-store.ts';
import { startExpressApp } from './express-app.ts';
import type { AppSettings, RunningApp } from './third-party.ts';
import { ANONYMOUS_LIMIT, specified, validKey, waiting } from './third-party.ts';

/** The headers that an app makes of what the limiter says; the anonymous have another limit. */
type Headers = (result: RateLimiterRes, limit: number) => Record<string, string>;

function startLimited(settings: AppSettings, headers: Headers): Promise<RunningApp> {
  const { keys, perMinute, windowSeconds } = settings;
  const callers = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
  const anonymous = new RateLimiterMemory({ points: ANONYMOUS_LIMIT, duration: windowSeconds });
  const limiter: RequestHandler = async (request, response, next) => {
    const key = validKey(request.get('Authorization'), keys);
    const bucket = key === undefined ? anonymous : callers;
    const result = await bucket
      .consume(key ?? request.ip ?? '')
      .catch((isRateLimited: unknown) => isRateLimited);
    if (!(result instanceof RateLimiterRes)) return next(result);
    response.set(headers(result, bucket.points));
    if (result.consumedPoints <= bucket.points) return next();
    response.status(429).json(errorBody(429, 'too_many_requests', 'Too many requests.'));
  };
  return startExpressApp(settings, limiter);
}

const resetOf = ({ msBeforeNext }: RateLimiterRes): number => Date.now() + msBeforeNext;

/** With the headers of its README: the wait is `msBeforeNext / 1000`, on every answer. */
export function startRateLimiterFlexible(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, (result, limit) => ({
    ...specified({ limit, remaining: result.remainingPoints, resetAt: resetOf(result) }),
    'Retry-After': String(result.msBeforeNext / 1000),
  }));
}

/** With a Retry-After of whole seconds on refusals alone. */
export function startRateLimiterFlexibleConfigured(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, (result, limit) => ({
    ...specified({ limit, remaining: result.remainingPoints, resetAt: resetOf(result) }),
    ...(result.consumedPoints > limit ? waiting(resetOf(result)) : {}),
  }));
}
