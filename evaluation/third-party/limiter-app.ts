import type { RequestHandler, Response } from 'express';
import { RateLimiter } from 'limiter';
import { errorBody } from './category-store.ts';
import { startExpressApp } from './express-app.ts';
import type { AppSettings, RunningApp } from './third-party.ts';
import { ANONYMOUS_LIMIT, rateLimitHeaders, retryAfterHeader, validKey } from './third-party.ts';

/** Writes to a response, from the state of the caller's limiter. */
type WriteResponse = (response: Response, limiter: RateLimiter) => void;

/** Express 5 with one RateLimiter of the package `limiter` for each caller. */
function startLimited(
  settings: AppSettings,
  { always, whenLimited }: { readonly always: WriteResponse; readonly whenLimited: WriteResponse },
): Promise<RunningApp> {
  const { keys, perMinute, windowSeconds } = settings;
  const limiters = new Map<string, RateLimiter>();
  const limiterOf = (key: string | undefined, address: string): RateLimiter => {
    const id = key ?? address;
    const tokensPerInterval = key === undefined ? ANONYMOUS_LIMIT : perMinute;
    const known = limiters.get(id) ?? new RateLimiter({ tokensPerInterval, interval: windowSeconds * 1000 });
    limiters.set(id, known);
    return known;
  };
  const middleware: RequestHandler = (request, response, next) => {
    const limiter = limiterOf(validKey(request.get('Authorization'), keys), request.ip ?? '');
    const accepted = limiter.tryRemoveTokens(1);
    always(response, limiter);
    if (accepted) next();
    else whenLimited(response, limiter);
  };
  return startExpressApp(settings, middleware);
}

const secondsToWait = (limiter: RateLimiter): number => Math.max(1, Math.ceil(limiter.getWaitTime(1) / 1000));

/** As in the HTTP example of its README. */
export function startLimiter(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, {
    always: () => undefined,
    whenLimited: (response, limiter) => {
      response.writeHead(429, { 'Retry-After': String(secondsToWait(limiter)) });
      response.end('Too many requests\n');
    },
  });
}

/** With the headers of the specification: the smaller of its tokens and the rest of its interval, and the time of its next token. */
export function startLimiterConfigured(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, {
    always: (response, limiter) => {
      const { tokensPerInterval: limit } = limiter.tokenBucket;
      const available = Math.min(limiter.getTokensRemaining(), limit - limiter.tokensThisInterval);
      const remaining = Math.max(0, Math.floor(available));
      const resetAt = Date.now() + limiter.getWaitTime(Math.min(limit, remaining + 1));
      response.set(rateLimitHeaders({ limit, remaining, resetAt }));
    },
    whenLimited: (response, limiter) => {
      response.set(retryAfterHeader(Date.now() + limiter.getWaitTime(1)));
      response.status(429).json(errorBody(429, 'too_many_requests', 'Too many requests.'));
    },
  });
}
