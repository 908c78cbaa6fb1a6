import type { Quota } from '../../limiters/algorithm.ts';
import type { Decision, Limiter } from '../../limiters/limiter.ts';
import { createLimiter } from '../../limiters/limiter.ts';
import type { SeamContext, Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import type { Request } from '../../service/message.ts';

/** Other behaviour of the limiter. */
type LimiterSeams = Required<Pick<Seams, 'wrapLimiter'>>;

/** Changes the limiter's decisions about authenticated callers, after it has counted. */
export function onDecision(
  change: (decision: Decision, caller: Caller, request: Request, now: number) => Decision,
): LimiterSeams {
  return {
    wrapLimiter: (limiter) => (caller, request, now) => {
      const decision = limiter(caller, request, now);
      return caller.authenticated ? change(decision, caller, request, now) : decision;
    },
  };
}

/** The same limiter by a clock that is so far ahead, in milliseconds. */
export const withClockAhead =
  (limiter: Limiter, aheadMs: (caller: Caller, now: number) => number): Limiter =>
  (caller, request, now) => {
    const ahead = aheadMs(caller, now);
    const { resetAt, retryAt, ...decision } = limiter(caller, request, now + ahead);
    return { ...decision, resetAt: resetAt - ahead, retryAt: retryAt - ahead };
  };

/** Makes the limiter that counts in place of the service's own, which it gets. */
export type Counting = (limiter: Limiter, context: SeamContext) => Limiter;

/** Makes one limiter for each caller, so that what `create` remembers is about one caller. */
const forEachCaller =
  (create: Counting): Counting =>
  (limiter, context) => {
    const limiters = new Map<string, Limiter>();
    return (caller, request, now) => {
      const own = limiters.get(caller.id) ?? create(limiter, context);
      limiters.set(caller.id, own);
      return own(caller, request, now);
    };
  };

/** Decides about each caller with a limiter around the service's own. */
export const aroundEach = (create: Counting): LimiterSeams => ({ wrapLimiter: forEachCaller(create) });

/** Counts the minute of each authenticated caller with another limiter; the service's own still counts its day. */
export const countingMinute = (create: Counting): LimiterSeams => countingMinutes(forEachCaller(create));

/** Counts the minute of all authenticated callers with one other limiter. */
export const countingMinutes = (create: Counting): LimiterSeams =>
  counting(create, (other, limiter) => ({ minutes: other, days: limiter }));

/** Counts the day of each authenticated caller with another limiter; the service's own still counts its minute. */
export const countingDay = (create: Counting): LimiterSeams =>
  counting(forEachCaller(create), (other, limiter) => ({ minutes: limiter, days: other }));

/** Where both windows accept a request, the headers describe the one with less left. */
function counting(
  create: Counting,
  divided: (other: Limiter, limiter: Limiter) => { readonly minutes: Limiter; readonly days: Limiter },
): LimiterSeams {
  return {
    wrapLimiter(limiter, context) {
      const { minutes, days } = divided(create(limiter, context), limiter);
      return (caller, request, now) => {
        if (!caller.authenticated) return limiter(caller, request, now);
        const minute = minutes(withQuotaOf('minute', caller), request, now);
        if (!minute.allowed) return minute;
        const day = days(withQuotaOf('day', caller), request, now);
        return day.remaining < minute.remaining || !day.allowed ? day : minute;
      };
    },
  };
}

export function withQuotaOf(window: Quota['window'], caller: Caller): Caller {
  return { ...caller, quotas: caller.quotas.filter((quota) => quota.window === window) };
}

export function limitedTo(limit: number, caller: Caller): Caller {
  return { ...caller, quotas: caller.quotas.map((quota) => ({ ...quota, limit })) };
}

/** Counts the minute (or the day) of authenticated callers under another id; their other window is counted under their own. */
export function countedAs(
  idOf: (caller: Caller, request: Request) => string,
  counts: typeof countingMinute = countingMinute,
): LimiterSeams {
  return counts(
    (limiter) => (caller, request, now) => limiter({ ...caller, id: idOf(caller, request) }, request, now),
  );
}

/** Counts one window against another quota, and shows that quota in the headers. */
export function withQuota(
  window: Quota['window'],
  change: (quota: Quota, context: SeamContext) => Quota,
): LimiterSeams {
  return {
    wrapLimiter: (limiter, context) => (caller, request, now) =>
      limiter(
        withChangedQuota(window, caller, (quota) => change(quota, context)),
        request,
        now,
      ),
  };
}

/** What Remaining shows of a limit that is enforced in place of the plan's: it counts down from that of the plan. */
const downFromThePlan = ({ allowed, remaining, limit }: Decision, planLimit: number): number =>
  allowed ? Math.max(0, remaining - limit + planLimit) : 0;

/** Enforces another limit per minute, while Limit shows the plan's, and Remaining what `shown` makes of the decision. */
export function enforcing(
  limit: (planLimit: number) => number,
  shown: (decision: Decision, planLimit: number) => number = downFromThePlan,
): LimiterSeams {
  return {
    wrapLimiter: (limiter) => (caller, request, now) => {
      const planLimit = caller.quotas.find(({ window }) => window === 'minute')?.limit ?? 0;
      const enforced = limit(planLimit);
      const quota = (one: Quota): Quota => ({ ...one, limit: enforced });
      const decision = limiter(withChangedQuota('minute', caller, quota), request, now);
      if (decision.limit !== enforced) return decision;
      return { ...decision, limit: planLimit, remaining: shown(decision, planLimit) };
    },
  };
}

/** Enforces another limit per minute and counts Remaining down from it, while Limit shows the plan's limit. */
export const countingFrom = (limit: (planLimit: number) => number): LimiterSeams =>
  enforcing(limit, ({ remaining }) => remaining);

function withChangedQuota(window: Quota['window'], caller: Caller, change: (quota: Quota) => Quota): Caller {
  const quotas = caller.quotas.map((quota) => (quota.window === window ? change(quota) : quota));
  return { ...caller, quotas };
}

/** Accepts some requests without counting them: their headers repeat those of the last counted request. */
export function uncounted(isFree: (request: Request) => boolean): LimiterSeams {
  return aroundEach((limiter) => {
    let last: Decision | undefined;
    return (caller, request, now) => {
      if (caller.authenticated && last !== undefined && now < last.resetAt && isFree(request))
        return accepted(last, now);
      last = limiter(caller, request, now);
      return last;
    };
  });
}

/** The same decision, with the request accepted. */
export const accepted = (decision: Decision, now: number): Decision => ({
  ...decision,
  allowed: true,
  retryAt: now,
});

/** A longer wait, in milliseconds, is about the day. */
const LONGEST_WINDOW_MS = 3_600_000;

export const isAboutTheDay = ({ retryAt }: Decision, now: number): boolean =>
  retryAt - now > LONGEST_WINDOW_MS;

/** The caller's limit per minute. @throws {Error} for a caller without one */
export const minuteOf = ({ quotas }: Caller): Quota => {
  const minute = quotas.find(({ window }) => window === 'minute');
  if (minute === undefined) throw new Error('a caller with a key has a limit per minute');
  return minute;
};

/** The time between requests at the rate of this quota, in milliseconds. */
export const intervalMs = ({ windowMs, limit }: Quota): number => windowMs / limit;

/** What a bucket of this capacity, in requests, counts: it is refilled at the rate of the minute. */
function quotaOfBucket(caller: Caller, capacity: number): Quota {
  const minute = minuteOf(caller);
  return { ...minute, limit: capacity, windowMs: capacity * intervalMs(minute) };
}

/** A bucket that holds less than the limit and is refilled at the limit's rate; its decisions still show the limit. */
export function smallBucket(capacity: (limit: number) => number): Limiter {
  const bucket = createLimiter('token-bucket', [], 0);
  return (caller, request, now) => {
    const { limit } = minuteOf(caller);
    const quotas = [quotaOfBucket(caller, capacity(limit))];
    return { ...bucket({ ...caller, quotas }, request, now), limit };
  };
}

export const bucketOf = (capacity: (limit: number) => number): LimiterSeams =>
  countingMinute(() => smallBucket(capacity));
