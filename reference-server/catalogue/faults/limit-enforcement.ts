import type { Decision } from '../../limiters/limiter.ts';
import { countingFrom, countingMinutes, enforcing } from '../wrappers/counting.ts';
import { always, asError, failing, hasStatus, onResponse, removingHeaders } from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Above the limit of any plan, and small enough to be counted exactly. */
const UNLIMITED = 1e12;

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
  'one-too-many-undated': {
    description: 'One request more than the limit is accepted, and no response has a Date.',
    breaks: ['LIMIT-1'],
    warnings: ['HTTP-2'],
    seenIn: 'the same behind Puma 5 or Netty, which write no Date of their own',
    ...enforcing((limit) => limit + 1),
    ...removingHeaders(always, 'Date'),
  },
  'twice-the-limit': {
    description: 'Twice the limit is accepted.',
    breaks: ['LIMIT-1'],
    seenIn: 'apisix#4080, express-rate-limit#331: a counter on each of two nodes',
    ...enforcing((limit) => 2 * limit),
  },
  'limit-of-a-greater-plan': {
    description: 'Five times the limit is accepted, while the headers show the plan’s limit.',
    breaks: ['LIMIT-1'],
    seenIn: 'a gateway and a service configured with different plans',
    ...enforcing((limit) => 5 * limit),
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
  'too-many-requests-403': {
    description: 'A request beyond the limit gets 403.',
    breaks: ['LIMIT-3'],
    seenIn: 'django-ratelimit#89 and #305; openrouteservice#1705 (Tyk)',
    ...failing(hasStatus(429), 403),
  },
  'too-many-requests-403-with-retry-after': {
    description: 'A request beyond the limit gets 403 with Retry-After.',
    breaks: ['LIMIT-3'],
    seenIn: 'gateways that turn the status of their limiter into 403 and leave its headers as they are',
    ...onResponse(hasStatus(429), (response) => ({ ...response, status: 403 })),
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
  'too-many-requests-500': {
    description: 'A request beyond the limit gets 500.',
    breaks: ['LIMIT-3'],
    warnings: ['HTTP-4'],
    seenIn: 'exceptions of a limiter without a handler (rate-limiter-flexible rejects with an object)',
    ...failing(hasStatus(429), 500),
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
};

/** The same pseudo-random numbers in every run (Park and Miller's generator). */
function randomNumbers(below: number): () => number {
  let state = 20_261_121;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state % below;
  };
}
