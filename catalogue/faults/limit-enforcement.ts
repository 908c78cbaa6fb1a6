import type { Decision } from '../../reference-server/limiter.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { asError, onReply, status } from './answers.ts';
import { countingFrom, countingMinute, enforcing } from './counting.ts';
import type { Fault } from './fault.ts';

/** More than any plan grants, and small enough to be counted exactly. */
const WITHOUT_LIMIT = 1e12;

/** Faults of the chapter "Limit enforcement": how many requests are accepted, and how the next one is refused. */
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
    id: 'limit-of-a-greater-plan',
    says: 'Five times the limit is accepted, while the headers show the plan’s.',
    breaks: ['LIMIT-1'],
    seen: 'a gateway and a service whose configurations name different plans',
    ...enforcing((limit) => 5 * limit),
  },
  {
    id: 'a-third-too-many',
    says: 'A third more than the limit is accepted.',
    breaks: ['LIMIT-1'],
    seen: 'burst allowances on top of the limit (bucket4j, Kong’s sync_rate)',
    ...enforcing((limit) => limit + Math.ceil(limit / 3)),
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
  {
    id: 'a-third-at-each-of-three-replicas',
    says: 'Three replicas enforce a third of the limit each, and requests reach them at random.',
    breaks: ['LIMIT-2', 'RATE-8'],
    seen: 'limits divided among nodes behind a load balancer, as Envoy’s local rate limit and nginx are often set up',
    ...shared(3),
  },
  refusingWith('too-many-requests-403', 403, {
    seen: 'django-ratelimit#89 and #305; openrouteservice#1705 (Tyk)',
    breaks: ['LIMIT-3'],
  }),
  {
    id: 'one-too-few-counted-down',
    says: 'One request less than the limit is accepted, and Remaining counts down from there.',
    breaks: ['LIMIT-2'],
    seen: 'tyk#49, express-limiter#3, graph_attack#46',
    ...countingFrom((limit) => Math.max(1, limit - 1)),
  },
  {
    id: 'fifty-of-sixty-counted-down',
    says: 'Five sixths of the limit are accepted, and Remaining counts down from there.',
    breaks: ['LIMIT-2'],
    seen: 'safety margins that the contract does not know of',
    ...countingFrom((limit) => Math.ceil((limit * 5) / 6)),
  },
  refusingWith('too-many-requests-401', 401, {
    seen: 'gateways that treat a key beyond its quota as invalid',
    breaks: ['LIMIT-3'],
    warns: ['HTTP-1'],
  }),
  refusingWith('too-many-requests-420', 420, {
    seen: 'Twitter’s first interface ("Enhance Your Calm"), and what copied it',
    breaks: ['LIMIT-3'],
  }),
  refusingWith('too-many-requests-500', 500, {
    seen: 'exceptions of a limiter that no handler knows (rate-limiter-flexible rejects with an object)',
    breaks: ['LIMIT-3'],
    warns: ['HTTP-4'],
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
];

/** Each replica counts its share of the minute; the headers show what is left at all of them together. */
function shared(replicas: number): Seams {
  return countingMinute((limiter) => {
    const chance = randomly(replicas);
    const seen = new Map<string, Decision>();
    return {
      spend(caller, request, now) {
        const replica = chance();
        const share = caller.quotas.map((quota) => ({ ...quota, limit: Math.ceil(quota.limit / replicas) }));
        const idAt = (place: number): string => `${caller.id} at ${place}`;
        const decision = limiter.spend({ ...caller, id: idAt(replica), quotas: share }, request, now);
        seen.set(idAt(replica), decision);
        const left = Array.from({ length: replicas }, (_, place) => {
          const last = seen.get(idAt(place));
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
      },
    };
  });
}

/** The same throws of a die in every run (Park and Miller's generator). */
function randomly(sides: number): () => number {
  let state = 20_261_121;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state % sides;
  };
}

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
