import type { Seams } from '../../reference-server/seams.ts';
import { headerValues } from '../../reference-server/service/message.ts';
import { withQuotaOf } from '../wrappers/counting.ts';
import type { Applies } from '../wrappers/responses.ts';
import { asError, mapHeader, onResponse } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

const MONTH_SECONDS = 30 * 86_400;

/** Refused for longer than an hour: no minute is the reason. */
const beyondTheDay: Applies = (response) =>
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
    description: 'Ten times the limit per day is enforced.',
    breaks: ['LIMIT-9'],
    seenIn: 'numbers of the contract typed into two configurations',
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
    id: 'day-refused-with-403',
    description: 'A request beyond the day is answered 403.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'A key that is banned may be answered 403 by a conforming service, and that a key has spent its day is only the user’s word: LIMIT-9 is inconclusive, and the run incomplete.',
    },
    seenIn: 'openrouteservice#1705 (Tyk’s quotas)',
    ...onResponse(beyondTheDay, (response) => asError(response, 403, 'quota_exceeded', 'Quota exceeded.')),
  },
  {
    id: 'day-says-retry-in-a-minute',
    description: 'A request beyond the day is told to come back in a minute.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'A day that ends within a minute is announced the same. Limit shows that the day is meant; whether the wait is true shows only when it is over, on a key that would have to be asked again and again.',
    },
    seenIn: '3scale/apisonator#54',
    ...onResponse(beyondTheDay, (response) => mapHeader(response, 'Retry-After', () => '60')),
  },
  {
    id: 'day-resets-in-a-month',
    description: 'The Reset of a request beyond the day lies a month away.',
    breaks: [],
    undecidable: {
      requirement: 'RATE-9',
      because:
        'A refusal may move Reset to the end of a penalty, and the specification leaves open how long one lasts.',
    },
    seenIn: '3scale/apisonator#54 (a year shown for a minute)',
    ...onResponse(beyondTheDay, (response) =>
      mapHeader(response, 'X-RateLimit-Reset', (reset) => String(Number(reset) + MONTH_SECONDS)),
    ),
  },
  {
    id: 'refusals-eat-the-day',
    description: 'Requests that are refused within the minute are counted against the day.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-9',
      because:
        'The specification does not say which requests count, and telling takes a day’s worth of requests of which many are refused: a client that keeps sending, which may be banned.',
    },
    seenIn: 'two stacked limiters, the day’s before the minute’s',
    ...refusalsEatingTheDay(),
  },
];

function refusalsEatingTheDay(): Seams {
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
