import type { RequestHandler } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { errorBody } from './category-store.ts';
import { startExpressApp } from './express-app.ts';
import type { AppSettings, RunningApp } from './witness.ts';
import { ANONYMOUS_LIMIT, validKey } from './witness.ts';

/** Limited by rate-limiter-flexible with the headers of its README: the wait is `msBeforeNext / 1000`, on every answer. */
export function startRateLimiterFlexible(settings: AppSettings): Promise<RunningApp> {
  const { keys, perMinute, windowSeconds } = settings;
  const callers = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
  const anonymous = new RateLimiterMemory({ points: ANONYMOUS_LIMIT, duration: windowSeconds });
  const limiter: RequestHandler = async (request, response, next) => {
    const key = validKey(request.get('Authorization'), keys);
    const bucket = key === undefined ? anonymous : callers;
    const result = await bucket.consume(key ?? request.ip ?? '').catch((refused: unknown) => refused);
    if (!(result instanceof RateLimiterRes)) return next(result);
    response.set({
      'Retry-After': String(result.msBeforeNext / 1000),
      'X-RateLimit-Limit': String(bucket.points),
      'X-RateLimit-Remaining': String(result.remainingPoints),
      'X-RateLimit-Reset': String(Math.ceil((Date.now() + result.msBeforeNext) / 1000)),
    });
    if (result.consumedPoints <= bucket.points) return next();
    response.status(429).json(errorBody(429, 'too_many_requests', 'Too many requests.'));
  };
  return startExpressApp(settings, limiter);
}
