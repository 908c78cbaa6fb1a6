import { headerValues } from '../message.ts';
import type { Seams } from '../seams.ts';
import { asError, onReply, status } from './answers.ts';
import { countedAs, enforcing, withMinute } from './counting.ts';
import type { Fault } from './fault.ts';

/** More than any plan grants, and small enough to be counted exactly. */
const WITHOUT_LIMIT = 1e12;

/** How long an answer takes while updates are lost, and how long before its end the counter is written. */
const ANSWER_MS = 12;
const TIMER_SLACK_MS = 2;

/** Faults of the chapter "Limit enforcement". */
export const limitEnforcement: readonly Fault[] = [
  {
    id: 'never-limited',
    says: 'The limit is shown and never enforced.',
    breaks: ['LIMIT-1'],
    seen: 'limiters in observe-only mode, or failing open when their store is away',
    ...enforcing(() => WITHOUT_LIMIT),
  },
  {
    id: 'one-too-many',
    says: 'One request more than the limit is accepted.',
    breaks: ['LIMIT-1'],
    seen: 'tenso#17: "greater" where "greater or equal" belongs',
    ...enforcing((limit) => limit + 1),
  },
  {
    id: 'twice-the-limit',
    says: 'Twice the limit is accepted.',
    breaks: ['LIMIT-1'],
    seen: 'apisix#4080, express-rate-limit#331: a counter on each of two nodes',
    ...enforcing((limit) => 2 * limit),
  },
  {
    id: 'one-too-few',
    says: 'The last request of the limit is refused.',
    breaks: ['LIMIT-2', 'RATE-8'],
    seen: 'tyk#48, node-ratelimiter#8, litellm#13176',
    ...enforcing((limit) => Math.max(1, limit - 1)),
  },
  {
    id: 'half-the-limit',
    says: 'Half of the limit is enforced, while the headers count down from the whole.',
    breaks: ['LIMIT-2', 'RATE-8'],
    seen: 'limits divided among nodes that do not get the same share of requests',
    ...enforcing((limit) => Math.ceil(limit / 2)),
  },
  refusingWith('too-many-requests-403', 403, {
    seen: 'django-ratelimit#89 and #305; openrouteservice#1705 (Tyk)',
    breaks: ['LIMIT-3'],
  }),
  refusingWith('too-many-requests-503', 503, {
    seen: 'nginx limit_req and APISIX limit-count defaults',
    breaks: ['LIMIT-3'],
    warns: ['HTTP-4'],
  }),
  {
    id: 'too-many-requests-200',
    says: 'A request beyond the limit is answered 200 with an Error.',
    breaks: ['LIMIT-3'],
    seen: 'RPC-style services that put every error into the body',
    ...onReply(status(429), (reply) => ({
      ...asError(reply, 429, 'rate_limit_exceeded', 'Too many requests.'),
      status: 200,
    })),
  },
  {
    id: 'too-many-requests-dropped',
    says: 'A request beyond the limit gets no answer: the connection is dropped.',
    breaks: ['LIMIT-3'],
    warns: ['HTTP-4'],
    seen: 'fail2ban, nginx with status 444, HAProxy silent-drop',
    ...onReply(status(429), () => ({ kind: 'dropped' })),
  },
  {
    id: 'window-of-half-a-minute',
    says: 'The window is half as long as the plan’s.',
    breaks: ['LIMIT-4'],
    seen: 'limits configured in another unit (tollbooth counts by the second)',
    ...withMinute((quota) => ({ ...quota, windowMs: Math.ceil(quota.windowMs / 2) })),
  },
  {
    id: 'window-of-two-minutes',
    says: 'The window is twice as long as the plan’s.',
    breaks: ['LIMIT-4', 'RATE-9'],
    seen: 'limits configured in another unit',
    ...withMinute((quota) => ({ ...quota, windowMs: 2 * quota.windowMs })),
  },
  {
    id: 'counters-by-method',
    says: 'Each method has a counter of its own.',
    breaks: ['LIMIT-5'],
    seen: '@nestjs/throttler default, where every handler counts for itself',
    ...countedAs(({ id }, { method }) => `${id} ${method}`),
  },
  {
    id: 'counters-by-path',
    says: 'Each path has a counter of its own.',
    breaks: ['LIMIT-5'],
    seen: 'tollbooth and slowapi defaults, Tyk’s limits for each endpoint',
    ...countedAs(({ id }, { target }) => `${id} ${target.split('?')[0]}`),
  },
  {
    id: 'updates-lost',
    says: 'Requests that are under way at the same time count as one.',
    breaks: ['LIMIT-6'],
    seen: 'AspNetCoreRateLimit#83, kong#2629: read, add one, write, without a lock',
    ...losingUpdates(),
  },
  {
    id: 'one-counter-for-each-plan',
    says: 'All callers of a plan share one counter.',
    breaks: ['LIMIT-7'],
    seen: 'keys cut to a common prefix before they are counted; ulule/limiter#230',
    ...countedAs(({ id }) => id.replace(/-\d+$/, '-1')),
  },
  {
    id: 'counters-by-claimed-address',
    says: 'A caller who sends X-Forwarded-For is counted by the address that stands there.',
    breaks: ['LIMIT-8'],
    seen: 'express-rate-limit#134, with "trust proxy" set for everybody',
    ...countedAs(({ id }, request) => [id, ...headerValues(request, 'X-Forwarded-For')].join(' ')),
  },
  {
    id: 'counters-by-connection',
    says: 'Each connection has a counter of its own.',
    breaks: ['LIMIT-8', 'LIMIT-1'],
    seen: 'express-rate-limit#234 and fastify-rate-limit#7: the port taken for a part of the address',
    ...countedAs(({ id }, { client }) => `${id} ${client.connection}`),
  },
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
];

function refusingWith(
  id: string,
  code: number,
  { seen, breaks, warns = [] }: Pick<Fault, 'seen' | 'breaks' | 'warns'>,
): Fault {
  const says = `A request beyond the limit is answered ${code}.`;
  const refusal = onReply(status(429), (reply) =>
    asError(reply, code, 'rate_limit_exceeded', 'Quota exceeded.'),
  );
  return { id, says, breaks, warns, seen, ...refusal };
}

/**
 * An answer takes a while, and a request that comes meanwhile reads the counter
 * as it was: both write the same number. One after another, all are counted.
 */
function losingUpdates(): Seams {
  return {
    wrapLimiter(limiter) {
      const writing = new Map<
        string,
        { readonly until: number; readonly decision: ReturnType<typeof limiter.spend> }
      >();
      return {
        spend(caller, request, now) {
          const other = writing.get(caller.id);
          if (other !== undefined && now < other.until) return other.decision;
          const decision = limiter.spend(caller, request, now);
          writing.set(caller.id, { until: now + ANSWER_MS - TIMER_SLACK_MS, decision });
          return decision;
        },
      };
    },
    wrapService: (answer) => (request) => ({ ...answer(request), delayMs: ANSWER_MS }),
  };
}
