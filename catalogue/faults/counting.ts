import type { Caller } from '../../reference-server/callers.ts';
import type { Decision, Limiter } from '../../reference-server/limiter.ts';
import type { Quota } from '../../reference-server/limiters/algorithm.ts';
import type { Request } from '../../reference-server/message.ts';
import type { Seams, Surroundings } from '../../reference-server/seams.ts';

/** Changes what the limiter says of callers with a key, after it has counted. */
export function onDecision(
  change: (decision: Decision, caller: Caller, around: Surroundings) => Decision,
): Seams {
  return {
    wrapLimiter: (limiter, around) => ({
      spend(caller, request, now) {
        const decision = limiter.spend(caller, request, now);
        return caller.known ? change(decision, caller, around) : decision;
      },
    }),
  };
}

/** Counts the minute of callers with a key by another limiter, which is given the service's own; their day stays with that one. */
export function countingMinute(create: (limiter: Limiter, around: Surroundings) => Limiter): Seams {
  return {
    wrapLimiter(limiter, around) {
      const minutes = create(limiter, around);
      return {
        spend(caller, request, now) {
          if (!caller.known) return limiter.spend(caller, request, now);
          const counted = minutes.spend(only('minute', caller), request, now);
          if (!counted.allowed) return counted;
          const day = limiter.spend(only('day', caller), request, now);
          return day.remaining < counted.remaining || !day.allowed ? day : counted;
        },
      };
    },
  };
}

/** The same caller with one of its quotas. */
export function only(window: Quota['window'], caller: Caller): Caller {
  return { ...caller, quotas: caller.quotas.filter((quota) => quota.window === window) };
}

/** Counts the minute of callers with a key under another identity; their day stays their own. */
export function countedAs(identity: (caller: Caller, request: Request) => string): Seams {
  return countingMinute((limiter) => ({
    spend: (caller, request, now) =>
      limiter.spend({ ...caller, id: identity(caller, request) }, request, now),
  }));
}

/** Counts the minute by another quota, and shows whatever that says. */
export function withMinute(change: (quota: Quota) => Quota): Seams {
  return {
    wrapLimiter: (limiter) => ({
      spend: (caller, request, now) => limiter.spend(changed(caller, change), request, now),
    }),
  };
}

/** Enforces another limit per minute while the headers go on to show the plan's. */
export function enforcing(limit: (planned: number) => number): Seams {
  return {
    wrapLimiter: (limiter) => ({
      spend(caller, request, now) {
        const planned = caller.quotas.find(({ window }) => window === 'minute')?.limit ?? 0;
        const enforced = limit(planned);
        const quota = (one: Quota): Quota => ({ ...one, limit: enforced });
        const decision = limiter.spend(changed(caller, quota), request, now);
        if (decision.limit !== enforced) return decision;
        const remaining = decision.allowed ? Math.max(0, decision.remaining - enforced + planned) : 0;
        return { ...decision, limit: planned, remaining };
      },
    }),
  };
}

/** Enforces another limit per minute, counts Remaining down from it, and shows the plan's as Limit. */
export function countingFrom(limit: (planned: number) => number): Seams {
  return {
    wrapLimiter: (limiter) => ({
      spend(caller, request, now) {
        const planned = caller.quotas.find(({ window }) => window === 'minute')?.limit ?? 0;
        const quota = (one: Quota): Quota => ({ ...one, limit: limit(planned) });
        const decision = limiter.spend(changed(caller, quota), request, now);
        return decision.limit === limit(planned) ? { ...decision, limit: planned } : decision;
      },
    }),
  };
}

function changed(caller: Caller, change: (quota: Quota) => Quota): Caller {
  const quotas = caller.quotas.map((quota) => (quota.window === 'minute' ? change(quota) : quota));
  return { ...caller, quotas };
}

/**
 * Lets some requests pass without counting them: they are told what the last
 * counted one was told.
 */
export function uncounted(free: (request: Request) => boolean): Seams {
  return {
    wrapLimiter(limiter) {
      const last = new Map<string, Decision>();
      return {
        spend(caller, request, now) {
          const before = last.get(caller.id);
          const fresh = before === undefined || now >= before.resetAt;
          if (caller.known && !fresh && free(request)) return { ...before, allowed: true, retryAt: now };
          const decision = limiter.spend(caller, request, now);
          last.set(caller.id, decision);
          return decision;
        },
      };
    },
  };
}
