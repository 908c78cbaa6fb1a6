import type { RequestHandler, Response } from 'express';
import { RateLimiter } from 'limiter';
import { errorBody } from './category-store.ts';
import { startExpressApp } from './express-app.ts';
import type { AppSettings, RunningApp } from './third-party.ts';
import { ANONYMOUS_LIMIT, specified, validKey, waiting } from './third-party.ts';

/** What an app writes into an answer before it goes on or refuses. */
type Write = (response: Response, limiter: RateLimiter) => void;

/** Express 5 with one RateLimiter of the package limiter for each caller. */
function startLimited(
  settings: AppSettings,
  { always, reject }: { readonly always: Write; readonly reject: Write },
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
    const admitted = limiter.tryRemoveTokens(1);
    always(response, limiter);
    if (admitted) next();
    else reject(response, limiter);
  };
  return startExpressApp(settings, middleware);
}

const secondsToWait = (limiter: RateLimiter): number => Math.max(1, Math.ceil(limiter.getWaitTime(1) / 1000));

/** As the HTTP example of its README has it. */
export function startLimiter(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, {
    always: () => undefined,
    reject: (response, limiter) => {
      response.writeHead(429, { 'Retry-After': String(secondsToWait(limiter)) });
      response.end('Too many requests\n');
    },
  });
}

/** With the headers of the specification: what is left of both its bucket and its interval, and when the next token comes. */
export function startLimiterConfigured(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, {
    always: (response, limiter) => {
      const { tokensPerInterval: limit } = limiter.tokenBucket;
      const left = Math.min(limiter.getTokensRemaining(), limit - limiter.tokensThisInterval);
      const remaining = Math.max(0, Math.floor(left));
      const resetAt = Date.now() + limiter.getWaitTime(Math.min(limit, remaining + 1));
      response.set(specified({ limit, remaining, resetAt }));
    },
    reject: (response, limiter) => {
      response.set(waiting(Date.now() + limiter.getWaitTime(1)));
      response.status(429).json(errorBody(429, 'too_many_requests', 'Too many requests.'));
    },
  });
}
