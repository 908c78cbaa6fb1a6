import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { headerValues } from '../../service/message.ts';
import { countedAs, countingDay, countingFrom, countingMinutes, enforcing } from '../wrappers/counting.ts';
import type { Applies } from '../wrappers/responses.ts';
import { asError, changingHeader, editing, failing, hasStatus, onResponse } from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Above the limit of any plan, and small enough to be counted exactly. */
export const UNLIMITED = 1e12;

/** The same pseudo-random numbers in every run (Park and Miller's generator). */
function randomNumbers(below: number): () => number {
  let state = 20_261_121;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state % below;
  };
}

const MONTH_SECONDS = 30 * 86_400;

const WEEK_SECONDS = 7 * 86_400;

/** A 429 with a wait of more than an hour, so it is about the day. */
const exceedsDay: Applies = (response) =>
  response.status === 429 && Number(headerValues(response, 'Retry-After')[0]) > 3600;

/** Faults of the chapter "Limit enforcement": how many requests are accepted, and the response to the next one. */
export const limitEnforcement: StatedFaults = {
  'never-limited': {
    description: 'The headers show the limit, but it is never enforced.',
    breaks: ['LIMIT-1'],
    seenIn: 'limiters in observe-only mode, or with a fail-open policy while their store is unavailable',
    ...enforcing(() => UNLIMITED),
  },
  'one-too-many': {
    description: 'One request more than the limit is accepted.',
    breaks: ['LIMIT-1'],
    seenIn: 'tenso#17: "greater" in place of "greater or equal"',
    ...enforcing((limit) => limit + 1),
  },
  'twice-the-limit': {
    description: 'Twice the limit is accepted.',
    breaks: ['LIMIT-1'],
    seenIn: 'apisix#4080, express-rate-limit#331: a counter on each of two nodes',
    ...enforcing((limit) => 2 * limit),
  },
  'a-third-too-many': {
    description: 'A third more than the limit is accepted.',
    breaks: ['LIMIT-1'],
    seenIn: 'burst allowances on top of the limit (bucket4j, Kong’s sync_rate)',
    ...enforcing((limit) => limit + Math.ceil(limit / 3)),
  },
  'one-too-few': {
    description: 'The last request within the limit gets 429.',
    breaks: ['LIMIT-2', 'RATE-8'],
    seenIn: 'tyk#48, node-ratelimiter#8, litellm#13176',
    ...enforcing((limit) => Math.max(1, limit - 1)),
  },
  'half-the-limit': {
    description: 'Half of the limit is enforced, while the headers count down from the full limit.',
    breaks: ['LIMIT-2', 'RATE-8'],
    seenIn: 'limits divided among nodes that get unequal shares of the requests',
    ...enforcing((limit) => Math.ceil(limit / 2)),
  },
  'a-third-at-each-of-three-replicas': {
    description: 'Each of three replicas enforces a third of the limit, and requests reach them at random.',
    breaks: ['RATE-8'],
    breaksWith: { 'exclusive key': ['LIMIT-2', 'RATE-8'] },
    seenIn:
      'limits divided among nodes behind a load balancer, as Envoy’s local rate limit and nginx are often set up',
    // Each replica counts its share of the minute; the headers show the sum of what remains in all of them.
    ...countingMinutes((limiter) => {
      const next = randomNumbers(3);
      const lastDecisions = new Map<string, Decision>();
      return (caller, request, now) => {
        const replica = next();
        const share = caller.quotas.map((quota) => ({ ...quota, limit: Math.ceil(quota.limit / 3) }));
        const idAt = (place: number): string => `${caller.id} at ${place}`;
        const decision = limiter({ ...caller, id: idAt(replica), quotas: share }, request, now);
        lastDecisions.set(idAt(replica), decision);
        const left = Array.from({ length: 3 }, (_, place) => {
          const last = lastDecisions.get(idAt(place));
          return last === undefined || last.resetAt <= now ? decision.limit : last.remaining;
        });
        const limit = caller.quotas[0]?.limit ?? decision.limit;
        return {
          ...decision,
          limit,
          remaining: Math.min(
            limit,
            left.reduce((sum, one) => sum + one, 0),
          ),
        };
      };
    }),
  },
  'too-many-requests-403-with-retry-after': {
    description: 'A request beyond the limit gets 403 with Retry-After.',
    breaks: ['LIMIT-3'],
    seenIn: 'gateways that turn the status of their limiter into 403 and leave its headers as they are',
    ...editing(hasStatus(429), { status: 403 }),
  },
  'one-too-few-counted-down': {
    description: 'One request less than the limit is accepted, and Remaining counts down accordingly.',
    breaks: ['LIMIT-2'],
    seenIn: 'tyk#49, express-limiter#3, graph_attack#46',
    ...countingFrom((limit) => Math.max(1, limit - 1)),
  },
  'fifty-of-sixty-counted-down': {
    description: 'Five sixths of the limit are accepted, and Remaining counts down accordingly.',
    breaks: ['LIMIT-2'],
    seenIn: 'safety margins that are not in the contract',
    ...countingFrom((limit) => Math.ceil((limit * 5) / 6)),
  },
  'too-many-requests-401': {
    description: 'A request beyond the limit gets 401.',
    breaks: ['LIMIT-3'],
    warnings: ['HTTP-1'],
    seenIn: 'gateways that treat a key beyond its quota as invalid',
    ...failing(hasStatus(429), 401),
  },
  'too-many-requests-420': {
    description: 'A request beyond the limit gets 420.',
    breaks: ['LIMIT-3'],
    seenIn: 'Twitter’s first API ("Enhance Your Calm") and its imitators',
    ...failing(hasStatus(429), 420),
  },
  'too-many-requests-503': {
    description: 'A request beyond the limit gets 503.',
    breaks: ['LIMIT-3'],
    warnings: ['HTTP-4'],
    seenIn: 'the defaults of nginx limit_req and APISIX limit-count',
    ...failing(hasStatus(429), 503),
  },
  'too-many-requests-200': {
    description: 'A request beyond the limit gets 200 with an Error.',
    breaks: ['LIMIT-3'],
    seenIn: 'RPC-style services that put every error into the body',
    ...onResponse(hasStatus(429), (response) => ({
      ...asError(response, 429),
      status: 200,
    })),
  },
  'too-many-requests-dropped': {
    description: 'A request beyond the limit gets no response: the connection is dropped.',
    breaks: ['LIMIT-3'],
    warnings: ['HTTP-4'],
    seenIn: 'fail2ban, nginx with status 444, HAProxy silent-drop',
    ...onResponse(hasStatus(429), () => ({ kind: 'dropped' })),
  },

  // Faults of the chapter "Limit enforcement": the day.
  'day-not-enforced': {
    description: 'The limit per day is not enforced.',
    breaks: ['LIMIT-9'],
    seenIn: 'services that bill by the day and limit by the minute',
    wrapLimiter: (limiter) => (caller, request, now) => {
      const quotas = caller.quotas.filter(({ window }) => window !== 'day');
      return limiter({ ...caller, quotas }, request, now);
    },
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
    undecidable:
      'Another client that uses the key, now or earlier in the day, ends the day of a conforming service as early.',
    seenIn: 'a quota that is divided among the instances of a service',
    ...enforcingDay((limit) => Math.floor(limit / 2)),
  },
  'day-counted-per-connection': {
    description: 'Each connection has a limit per day of its own.',
    needs: ['used day'],
    breaks: ['LIMIT-9'],
    seenIn: 'counters in the memory of each worker',
    ...countedAs(({ id }, request) => `${id} ${request.client.connection}`, countingDay),
  },
  'day-counted-per-operation': {
    description: 'Each operation has a limit per day of its own.',
    needs: ['used day'],
    violates: 'LIMIT-9',
    undecidable:
      'A run uses the day with lists, because each creation leaves a category behind. The few creations before them are no more than what a bucket gives back, or a day that began with one of the first requests explains; and after the 429 nothing is sent until Retry-After has passed.',
    seenIn: 'limiters whose key contains the route',
    ...countedAs(({ id }, request) => `${id} ${request.method}`, countingDay),
  },
  'beyond-the-day-403': {
    description: 'A request beyond the daily limit gets 403.',
    needs: ['used day'],
    breaksWith: { 'exclusive key': ['LIMIT-9'] },
    undecidable:
      'A conforming service may send 403 to a banned key, and another client that keeps sending after a 429 may have caused a ban.',
    seenIn: 'openrouteservice#1705 (Tyk’s quotas)',
    ...failing(exceedsDay, 403),
  },
  'day-retry-after-a-minute': {
    description: 'The Retry-After of a request beyond the daily limit is a minute.',
    needs: ['used day'],
    breaksWith: { 'exclusive key': ['LIMIT-9'] },
    undecidable:
      'Each 429 announces a minute, and another client that exhausts the quota of each minute causes the same in a conforming service.',
    seenIn: '3scale/apisonator#54',
    ...changingHeader(exceedsDay, 'Retry-After', () => '60'),
  },
  'day-retry-after-absent': {
    description: 'A request beyond the daily limit gets no Retry-After.',
    needs: ['used day'],
    breaks: ['RETRY-1'],
    seenIn: 'quotas that are checked by the application, behind a limiter that writes the header',
    ...editing(exceedsDay, { without: ['Retry-After'] }),
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
    violates: 'RATE-9',
    undecidable:
      'A 429 response may move Reset to the end of a penalty, and the specification does not say how long a penalty lasts. No further request and no option excludes a penalty.',
    seenIn: '3scale/apisonator#54 (a year for a minute)',
    ...changingHeader(exceedsDay, 'X-RateLimit-Reset', (reset) => String(Number(reset) + MONTH_SECONDS)),
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
