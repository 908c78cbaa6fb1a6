import { headerValues } from '../../reference-server/message.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { Applies } from './answers.ts';
import { asError, mapHeader, onReply } from './answers.ts';
import { only } from './counting.ts';
import type { Fault } from './fault.ts';

const MONTH_SECONDS = 30 * 86_400;

/** Refused for longer than an hour: no minute is the reason. */
const beyondTheDay: Applies = (reply) =>
  reply.status === 429 && Number(headerValues(reply, 'Retry-After')[0]) > 3600;

/** Faults of the chapter "Limit enforcement": the day. */
export const limitDays: readonly Fault[] = [
  {
    id: 'day-not-enforced',
    says: 'The limit per day is not enforced.',
    breaks: ['LIMIT-9'],
    seen: 'services that bill by the day and limit by the minute',
    wrapLimiter: (limiter) => ({
      spend(caller, request, now) {
        const quotas = caller.quotas.filter(({ window }) => window !== 'day');
        return limiter.spend({ ...caller, quotas }, request, now);
      },
    }),
  },
  {
    id: 'day-of-a-greater-plan',
    says: 'Ten times the limit per day is enforced.',
    breaks: ['LIMIT-9'],
    seen: 'numbers of the contract typed into two configurations',
    wrapLimiter: (limiter) => ({
      spend(caller, request, now) {
        const quotas = caller.quotas.map((quota) =>
          quota.window === 'day' ? { ...quota, limit: 10 * quota.limit } : quota,
        );
        return limiter.spend({ ...caller, quotas }, request, now);
      },
    }),
  },
  {
    id: 'day-refused-with-403',
    says: 'A request beyond the day is answered 403.',
    breaks: [],
    undecidable: {
      about: 'LIMIT-9',
      because:
        'A key that is banned may be answered 403 by a conforming service, and that a key has spent its day is only the user’s word: LIMIT-9 is inconclusive, and the run incomplete.',
    },
    seen: 'openrouteservice#1705 (Tyk’s quotas)',
    ...onReply(beyondTheDay, (reply) => asError(reply, 403, 'quota_exceeded', 'Quota exceeded.')),
  },
  {
    id: 'day-says-retry-in-a-minute',
    says: 'A request beyond the day is told to come back in a minute.',
    breaks: [],
    undecidable: {
      about: 'LIMIT-9',
      because:
        'A day that ends within a minute is announced the same. Limit shows that the day is meant; whether the wait is true shows only when it is over, on a key that would have to be asked again and again.',
    },
    seen: '3scale/apisonator#54',
    ...onReply(beyondTheDay, (reply) => mapHeader(reply, 'Retry-After', () => '60')),
  },
  {
    id: 'day-resets-in-a-month',
    says: 'The Reset of a request beyond the day lies a month away.',
    breaks: [],
    undecidable: {
      about: 'RATE-9',
      because:
        'A refusal may move Reset to the end of a penalty, and the specification leaves open how long one lasts.',
    },
    seen: '3scale/apisonator#54 (a year shown for a minute)',
    ...onReply(beyondTheDay, (reply) =>
      mapHeader(reply, 'X-RateLimit-Reset', (reset) => String(Number(reset) + MONTH_SECONDS)),
    ),
  },
  {
    id: 'refusals-eat-the-day',
    says: 'Requests that are refused within the minute are counted against the day.',
    breaks: [],
    undecidable: {
      about: 'LIMIT-9',
      because:
        'The specification does not say which requests count, and telling takes a day’s worth of requests of which many are refused: a client that keeps sending, which may be banned.',
    },
    seen: 'two stacked limiters, the day’s before the minute’s',
    ...refusalsEatingTheDay(),
  },
];

function refusalsEatingTheDay(): Seams {
  return {
    wrapLimiter: (limiter) => ({
      spend(caller, request, now) {
        const decision = limiter.spend(caller, request, now);
        if (!decision.allowed && caller.known) limiter.spend(only('day', caller), request, now);
        return decision;
      },
    }),
  };
}
