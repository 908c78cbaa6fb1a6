import type { Quota } from '../../limiters/algorithm.ts';
import type { Decision, Limiter } from '../../limiters/limiter.ts';
import { createLimiter } from '../../limiters/limiter.ts';
import type { SeamContext, Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import type { Request } from '../../service/message.ts';

/** Changes the limiter's decisions about authenticated callers, after it has counted. */
export function onDecision(
  change: (decision: Decision, caller: Caller, context: SeamContext) => Decision,
): Seams {
  return {
    wrapLimiter: (limiter, context) => ({
      consume(caller, request, now) {
        const decision = limiter.consume(caller, request, now);
        return caller.authenticated ? change(decision, caller, context) : decision;
      },
    }),
  };
}

/**
 * Counts the minute of authenticated callers with another limiter, which
 * `create` makes from the service's own; that one still counts their day.
 */
export function countingMinute(create: (limiter: Limiter, context: SeamContext) => Limiter): Seams {
  return {
    wrapLimiter(limiter, context) {
      const minutes = create(limiter, context);
      return {
        consume(caller, request, now) {
          if (!caller.authenticated) return limiter.consume(caller, request, now);
          const counted = minutes.consume(withQuotaOf('minute', caller), request, now);
          if (!counted.allowed) return counted;
          const day = limiter.consume(withQuotaOf('day', caller), request, now);
          return day.remaining < counted.remaining || !day.allowed ? day : counted;
        },
      };
    },
  };
}

/**
 * Counts the day of authenticated callers with another limiter, which `create` makes from the service's own; that one
 * still counts their minute. Where both accept a request, the headers describe the one with less left.
 */
export function countingDay(create: (limiter: Limiter, context: SeamContext) => Limiter): Seams {
  return {
    wrapLimiter(limiter, context) {
      const days = create(limiter, context);
      return {
        consume(caller, request, now) {
          if (!caller.authenticated) return limiter.consume(caller, request, now);
          const minute = limiter.consume(withQuotaOf('minute', caller), request, now);
          if (!minute.allowed) return minute;
          const day = days.consume(withQuotaOf('day', caller), request, now);
          return day.remaining < minute.remaining || !day.allowed ? day : minute;
        },
      };
    },
  };
}

/** The same caller with one of its quotas. */
export function withQuotaOf(window: Quota['window'], caller: Caller): Caller {
  return { ...caller, quotas: caller.quotas.filter((quota) => quota.window === window) };
}

/** The same caller with another limit in all of its quotas. */
export function limitedTo(limit: number, caller: Caller): Caller {
  return { ...caller, quotas: caller.quotas.map((quota) => ({ ...quota, limit })) };
}

/** Counts the minute of authenticated callers under another id; their day is counted under their own. */
export function countedAs(idOf: (caller: Caller, request: Request) => string): Seams {
  return countingMinute((limiter) => ({
    consume: (caller, request, now) =>
      limiter.consume({ ...caller, id: idOf(caller, request) }, request, now),
  }));
}

/** Counts the minute against another quota, and shows that quota in the headers. */
export function withMinute(change: (quota: Quota) => Quota): Seams {
  return {
    wrapLimiter: (limiter) => ({
      consume: (caller, request, now) => limiter.consume(withMinuteQuota(caller, change), request, now),
    }),
  };
}

/** Enforces another limit per minute while the headers show the plan's limit and count down from it. */
export function enforcing(limit: (planLimit: number) => number): Seams {
  return {
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        const planLimit = caller.quotas.find(({ window }) => window === 'minute')?.limit ?? 0;
        const enforced = limit(planLimit);
        const quota = (one: Quota): Quota => ({ ...one, limit: enforced });
        const decision = limiter.consume(withMinuteQuota(caller, quota), request, now);
        if (decision.limit !== enforced) return decision;
        const remaining = decision.allowed ? Math.max(0, decision.remaining - enforced + planLimit) : 0;
        return { ...decision, limit: planLimit, remaining };
      },
    }),
  };
}

/** Enforces another limit per minute and counts Remaining down from it, while Limit shows the plan's limit. */
export function countingFrom(limit: (planLimit: number) => number): Seams {
  return {
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        const planLimit = caller.quotas.find(({ window }) => window === 'minute')?.limit ?? 0;
        const quota = (one: Quota): Quota => ({ ...one, limit: limit(planLimit) });
        const decision = limiter.consume(withMinuteQuota(caller, quota), request, now);
        return decision.limit === limit(planLimit) ? { ...decision, limit: planLimit } : decision;
      },
    }),
  };
}

function withMinuteQuota(caller: Caller, change: (quota: Quota) => Quota): Caller {
  const quotas = caller.quotas.map((quota) => (quota.window === 'minute' ? change(quota) : quota));
  return { ...caller, quotas };
}

/**
 * Accepts some requests without counting them: their headers repeat those of the
 * last counted request.
 */
export function uncounted(isFree: (request: Request) => boolean): Seams {
  return {
    wrapLimiter(limiter) {
      const last = new Map<string, Decision>();
      return {
        consume(caller, request, now) {
          const before = last.get(caller.id);
          const newWindow = before === undefined || now >= before.resetAt;
          if (caller.authenticated && !newWindow && isFree(request))
            return { ...before, allowed: true, retryAt: now };
          const decision = limiter.consume(caller, request, now);
          last.set(caller.id, decision);
          return decision;
        },
      };
    },
  };
}

/** The caller's limit per minute. @throws {Error} for a caller without one */
export const minuteOf = ({ quotas }: Caller): Quota => {
  const minute = quotas.find(({ window }) => window === 'minute');
  if (minute === undefined) throw new Error('a caller with a key has a limit per minute');
  return minute;
};

/** The time between requests at the rate of this quota, in milliseconds. */
export const intervalMs = ({ windowMs, limit }: Quota): number => windowMs / limit;

/** What a bucket of this capacity, in requests, counts: it is refilled at the rate of the minute. */
export function quotaOfBucket(caller: Caller, capacity: number): Quota {
  const minute = minuteOf(caller);
  return { ...minute, limit: capacity, windowMs: capacity * intervalMs(minute) };
}

/** A bucket that holds less than the limit and is refilled at the limit's rate; the headers still show the limit. */
export function bucketOf(capacity: (limit: number) => number): Seams {
  return countingMinute(() => {
    const bucket = createLimiter('token-bucket', [], 0);
    return {
      consume(caller, request, now) {
        const { limit } = minuteOf(caller);
        const quotas = [quotaOfBucket(caller, capacity(limit))];
        return { ...bucket.consume({ ...caller, quotas }, request, now), limit };
      },
    };
  });
}
