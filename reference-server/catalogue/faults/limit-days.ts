import type { Seams } from '../../seams.ts';
import { headerValues } from '../../service/message.ts';
import { countingDay, withQuota, withQuotaOf } from '../wrappers/counting.ts';
import type { Applies } from '../wrappers/responses.ts';
import { changingHeader, failing, removingHeaders } from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

const MONTH_SECONDS = 30 * 86_400;

const WEEK_SECONDS = 7 * 86_400;

/** A 429 with a wait of more than an hour, so it is about the day. */
const exceedsDay: Applies = (response) =>
  response.status === 429 && Number(headerValues(response, 'Retry-After')[0]) > 3600;

/** Faults of the chapter "Limit enforcement": the day. */
export const limitDays: StatedFaults = {
  'day-not-enforced': {
    description: 'The limit per day is not enforced.',
    breaks: ['LIMIT-9'],
    seenIn: 'services that bill by the day and limit by the minute',
    wrapLimiter: (limiter) => (caller, request, now) => {
      const quotas = caller.quotas.filter(({ window }) => window !== 'day');
      return limiter({ ...caller, quotas }, request, now);
    },
  },
  'day-of-a-greater-plan': {
    description: 'The limit per day that is enforced is ten times the plan’s.',
    breaks: ['LIMIT-9'],
    seenIn: 'numbers of the contract entered in two configurations',
    ...withQuota('day', (quota) => ({ ...quota, limit: 10 * quota.limit })),
  },
  'day-twice-as-large': {
    description: 'The limit per day that is enforced is twice the plan’s, which the headers show.',
    needs: ['used day'],
    breaks: ['LIMIT-9'],
    seenIn: 'two regions, each with a store of its own',
    ...enforcingDay((limit) => 2 * limit),
  },
  'day-half-as-large': {
    description: 'The limit per day that is enforced is half the plan’s, which the headers show.',
    needs: ['used day'],
    breaksWith: { 'exclusive key': ['LIMIT-9'] },
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'Another client that uses the key, now or earlier in the day, ends the day of a conforming service as early.',
    },
    seenIn: 'a quota that is divided among the instances of a service',
    ...enforcingDay((limit) => Math.floor(limit / 2)),
  },
  'day-counted-per-connection': {
    description: 'Each connection has a limit per day of its own.',
    needs: ['used day'],
    breaks: ['LIMIT-9'],
    seenIn: 'counters in the memory of each worker',
    ...countingDay(
      (limiter) => (caller, request, now) =>
        limiter({ ...caller, id: `${caller.id} ${request.client.connection}` }, request, now),
    ),
  },
  'day-counted-per-operation': {
    description: 'Each operation has a limit per day of its own.',
    needs: ['used day'],
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'A run uses the day with lists, because each creation leaves a category behind. The few creations before them are no more than what a bucket gives back, or a day that began with one of the first requests explains; and after the 429 nothing is sent until Retry-After has passed.',
    },
    seenIn: 'limiters whose key contains the route',
    ...countingDay(
      (limiter) => (caller, request, now) =>
        limiter({ ...caller, id: `${caller.id} ${request.method}` }, request, now),
    ),
  },
  'beyond-the-day-403': {
    description: 'A request beyond the daily limit gets 403.',
    needs: ['used day'],
    breaksWith: { 'exclusive key': ['LIMIT-9'] },
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'A conforming service may send 403 to a banned key, and another client that keeps sending after a 429 may have caused a ban.',
    },
    seenIn: 'openrouteservice#1705 (Tyk’s quotas)',
    ...failing(exceedsDay, 403),
  },
  'day-retry-after-a-minute': {
    description: 'The Retry-After of a request beyond the daily limit is a minute.',
    needs: ['used day'],
    breaksWith: { 'exclusive key': ['LIMIT-9'] },
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'Each 429 announces a minute, and another client that exhausts the quota of each minute causes the same in a conforming service.',
    },
    seenIn: '3scale/apisonator#54',
    ...changingHeader(exceedsDay, 'Retry-After', () => '60'),
  },
  'day-retry-after-absent': {
    description: 'A request beyond the daily limit gets no Retry-After.',
    needs: ['used day'],
    breaks: ['RETRY-1'],
    seenIn: 'quotas that are checked by the application, behind a limiter that writes the header',
    ...removingHeaders(exceedsDay, 'Retry-After'),
  },
  'day-retry-after-in-milliseconds': {
    description: 'The Retry-After of a request beyond the daily limit counts milliseconds.',
    needs: ['used day'],
    warnings: ['RETRY-2'],
    seenIn: 'rate-limiter-flexible, whose msBeforeNext is written as it is',
    ...changingHeader(exceedsDay, 'Retry-After', (seconds) => `${1000 * Number(seconds)}`),
  },
  'day-retry-after-a-week': {
    description: 'The Retry-After of a request beyond the daily limit is a week.',
    needs: ['used day'],
    warnings: ['LIMIT-9'],
    seenIn: 'quotas of a week and of a day that share one error handler',
    ...changingHeader(exceedsDay, 'Retry-After', () => `${WEEK_SECONDS}`),
  },
  'day-resets-in-a-month': {
    description: 'The Reset of a request beyond the daily limit is a month too late.',
    undecidable: {
      requirement: 'RATE-9',
      because:
        'A 429 response may move Reset to the end of a penalty, and the specification does not say how long a penalty lasts. No further request and no option excludes a penalty.',
    },
    seenIn: '3scale/apisonator#54 (a year for a minute)',
    ...changingHeader(exceedsDay, 'X-RateLimit-Reset', (reset) => String(Number(reset) + MONTH_SECONDS)),
  },
  'rate-limited-requests-count-for-the-day': {
    description: 'Requests that exceed the limit per minute count against the day.',
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'The specification does not say which requests count. To find out, a run would need a day’s quota of requests, many of them rate-limited: a client that keeps sending may be banned. Only a disposable key could be spent on that, for a whole day.',
    },
    seenIn: 'two stacked limiters, the day’s before the minute’s',
    wrapLimiter: (limiter) => (caller, request, now) => {
      const decision = limiter(caller, request, now);
      if (!decision.allowed && caller.authenticated) limiter(withQuotaOf('day', caller), request, now);
      return decision;
    },
  },
};

/** Enforces another limit per day, while the headers show the plan's limit and count down from it. */
function enforcingDay(limit: (planLimit: number) => number): Seams {
  return countingDay((limiter) => (caller, request, now) => {
    const planLimit = caller.quotas[0]?.limit ?? 0;
    const enforced = limit(planLimit);
    const quotas = caller.quotas.map((quota) => ({ ...quota, limit: enforced }));
    const decision = limiter({ ...caller, quotas }, request, now);
    const shown = Math.max(0, decision.remaining - enforced + planLimit);
    return { ...decision, limit: planLimit, remaining: decision.allowed ? shown : 0 };
  });
}
