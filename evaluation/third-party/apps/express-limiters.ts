import type { Request, RequestHandler, Response } from 'express';
import type { Options } from 'express-rate-limit';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { RateLimiter } from 'limiter';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { AppSettings } from './app.ts';
import { ANONYMOUS_LIMIT, errorBody, rateLimitHeaders, retryAfterHeader, validKey } from './app.ts';

const callerOf = (request: Request, { keys }: AppSettings): string | undefined =>
  validKey(request.get('Authorization'), keys);

const TOO_MANY = errorBody(429, 'too_many_requests', 'Too many requests.');

/** express-rate-limit; unless other options are given, it conforms: as it is shipped, but for an Error as its message. */
export const expressRateLimit =
  (options: Partial<Options> = { message: TOO_MANY }) =>
  (settings: AppSettings): RequestHandler =>
    rateLimit({
      windowMs: settings.windowSeconds * 1000,
      limit: (request) => (callerOf(request, settings) === undefined ? ANONYMOUS_LIMIT : settings.perMinute),
      keyGenerator: (request) => callerOf(request, settings) ?? ipKeyGenerator(request.ip ?? ''),
      ...options,
    });

/** rate-limiter-flexible: with the headers of its README, where Retry-After is `msBeforeNext / 1000` on every response, or with Retry-After in whole seconds, only on a 429. */
export const rateLimiterFlexible =
  (configured: boolean) =>
  (settings: AppSettings): RequestHandler => {
    const { perMinute, windowSeconds: duration } = settings;
    const callers = new RateLimiterMemory({ points: perMinute, duration });
    const anonymous = new RateLimiterMemory({ points: ANONYMOUS_LIMIT, duration });
    return async (request, response, next) => {
      const caller = callerOf(request, settings);
      const bucket = caller === undefined ? anonymous : callers;
      // Beyond the limit the promise rejects with the result.
      const result = await bucket
        .consume(caller ?? request.ip ?? '')
        .catch((rejection: unknown) => rejection);
      if (!(result instanceof RateLimiterRes)) return next(result);
      const { msBeforeNext, consumedPoints, remainingPoints: remaining } = result;
      const resetAt = Date.now() + msBeforeNext;
      const isLimited = consumedPoints > bucket.points;
      response.set(rateLimitHeaders({ limit: bucket.points, remaining, resetAt }));
      if (!configured) response.set('Retry-After', String(msBeforeNext / 1000));
      else if (isLimited) response.set(retryAfterHeader(resetAt));
      if (!isLimited) return next();
      response.status(429).json(TOO_MANY);
    };
  };

/** Writes to a response, from the state of the caller's limiter. */
type WriteResponse = (response: Response, limiter: RateLimiter) => void;

/** One RateLimiter of the package `limiter` for each caller. */
const limiterWith =
  ({ always, whenLimited }: { readonly always?: WriteResponse; readonly whenLimited: WriteResponse }) =>
  (settings: AppSettings): RequestHandler => {
    const limiters = new Map<string, RateLimiter>();
    const interval = settings.windowSeconds * 1000;
    return (request, response, next) => {
      const caller = callerOf(request, settings);
      const tokensPerInterval = caller === undefined ? ANONYMOUS_LIMIT : settings.perMinute;
      const id = caller ?? request.ip ?? '';
      const limiter = limiters.get(id) ?? new RateLimiter({ tokensPerInterval, interval });
      limiters.set(id, limiter);
      const accepted = limiter.tryRemoveTokens(1);
      always?.(response, limiter);
      if (accepted) next();
      else whenLimited(response, limiter);
    };
  };

/** `limiter` as in the HTTP example of its README. */
export const limiterAsShipped = limiterWith({
  whenLimited: (response, limiter) => {
    response.writeHead(429, retryAfterHeader(Date.now() + limiter.getWaitTime(1)));
    response.end('Too many requests\n');
  },
});

/** `limiter` with the headers of the specification: the smaller of its tokens and the rest of its interval, and the time of its next token. */
export const limiterConfigured = limiterWith({
  always: (response, limiter) => {
    const { tokensPerInterval: limit } = limiter.tokenBucket;
    const available = Math.min(limiter.getTokensRemaining(), limit - limiter.tokensThisInterval);
    const remaining = Math.max(0, Math.floor(available));
    const resetAt = Date.now() + limiter.getWaitTime(Math.min(limit, remaining + 1));
    response.set(rateLimitHeaders({ limit, remaining, resetAt }));
  },
  whenLimited: (response, limiter) => {
    response.set(retryAfterHeader(Date.now() + limiter.getWaitTime(1)));
    response.status(429).json(TOO_MANY);
  },
});
