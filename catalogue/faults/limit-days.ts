import type { Seams } from '../../reference-server/seams.ts';
import { headerValues } from '../../reference-server/service/message.ts';
import { withQuotaOf } from '../wrappers/counting.ts';
import type { Applies } from '../wrappers/responses.ts';
import { asError, mapHeader, onResponse } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

const MONTH_SECONDS = 30 * 86_400;

/** A 429 with a wait of more than an hour, so it is about the day. */
const exceedsDay: Applies = (response) =>
  response.status === 429 && Number(headerValues(response, 'Retry-After')[0]) > 3600;

/** Faults of the chapter "Limit enforcement": the day. */
export const limitDays: readonly Fault[] = [
  {
    id: 'day-not-enforced',
    description: 'The limit per day is not enforced.',
    breaks: ['LIMIT-9'],
    seenIn: 'services that bill by the day and limit by the minute',
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        const quotas = caller.quotas.filter(({ window }) => window !== 'day');
        return limiter.consume({ ...caller, quotas }, request, now);
      },
    }),
  },
  {
    id: 'day-of-a-greater-plan',
    description: 'The limit per day that is enforced is ten times the plan’s.',
    breaks: ['LIMIT-9'],
    seenIn: 'numbers of the contract entered in two configurations',
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        const quotas = caller.quotas.map((quota) =>
          quota.window === 'day' ? { ...quota, limit: 10 * quota.limit } : quota,
        );
        return limiter.consume({ ...caller, quotas }, request, now);
      },
    }),
  },
  {
    id: 'beyond-the-day-403',
    description: 'A request beyond the daily limit gets 403.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'A conforming service may send 403 to a banned key, and only the user says that the daily quota of the key is exhausted: LIMIT-9 is inconclusive, and the run incomplete. Only a run that exhausts the day itself could know both.',
    },
    seenIn: 'openrouteservice#1705 (Tyk’s quotas)',
    ...onResponse(exceedsDay, (response) => asError(response, 403, 'quota_exceeded', 'Quota exceeded.')),
  },
  {
    id: 'day-retry-after-a-minute',
    description: 'The Retry-After of a request beyond the daily limit is a minute.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'A day that ends within a minute is announced in the same way. Limit shows that the response is about the day; whether the wait is correct would show only after it, with a key that must be retried again and again, or in a run with a day of minutes in its plan file.',
    },
    seenIn: '3scale/apisonator#54',
    ...onResponse(exceedsDay, (response) => mapHeader(response, 'Retry-After', () => '60')),
  },
  {
    id: 'day-resets-in-a-month',
    description: 'The Reset of a request beyond the daily limit is a month too late.',
    breaks: [],
    undecidable: {
      requirement: 'RATE-9',
      because:
        'A 429 response may move Reset to the end of a penalty, and the specification does not say how long a penalty lasts. No further request and no option excludes a penalty.',
    },
    seenIn: '3scale/apisonator#54 (a year for a minute)',
    ...onResponse(exceedsDay, (response) =>
      mapHeader(response, 'X-RateLimit-Reset', (reset) => String(Number(reset) + MONTH_SECONDS)),
    ),
  },
  {
    id: 'rate-limited-requests-count-for-the-day',
    description: 'Requests that exceed the limit per minute count against the day.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'The specification does not say which requests count. To find out, a run would need a day’s quota of requests, many of them rate-limited: a client that keeps sending may be banned. Only a disposable key could be spent on that, for a whole day.',
    },
    seenIn: 'two stacked limiters, the day’s before the minute’s',
    ...countingRateLimitedRequests(),
  },
];

function countingRateLimitedRequests(): Seams {
  return {
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        const decision = limiter.consume(caller, request, now);
        if (!decision.allowed && caller.authenticated)
          limiter.consume(withQuotaOf('day', caller), request, now);
        return decision;
      },
    }),
  };
}
