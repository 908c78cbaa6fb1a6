import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { aroundEach, countedAs, uncounted } from '../wrappers/counting.ts';
import { asError, isList, onResponse, remembering, withoutRateLimit } from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** How long a response takes while updates are lost, and how long before its end the counter is written. */
const RESPONSE_MS = 12;
const TIMER_SLACK_MS = 2;

const claimsLoopback = (request: Request): boolean =>
  headerValues(request, 'X-Forwarded-For').includes('127.0.0.1');

/** Counts everybody's minute under an id of the request, those without a key as well; the day of a key is counted under its own. */
function countingEverybody(idOf: (request: Request) => string): Seams {
  return {
    wrapLimiter(limiter, context) {
      const counted = countedAs((_, request) => idOf(request)).wrapLimiter(limiter, context);
      const { free, pro } = context.plans.plans;
      const limit = free?.perMinute ?? pro?.perMinute ?? 0;
      const windowMs = context.plans.minuteSeconds * 1000;
      return (caller, request, now) =>
        caller.authenticated
          ? counted(caller, request, now)
          : limiter(
              { ...caller, id: idOf(request), quotas: [{ window: 'minute', limit, windowMs }] },
              request,
              now,
            );
    },
  };
}

/**
 * A response takes a while. A request that arrives in that time reads the old
 * counter, so that both write the same number. Sequential requests are counted.
 */
export const losingUpdates: Seams = {
  ...aroundEach((limiter) => {
    let other: { readonly until: number; readonly decision: Decision } | undefined;
    return (caller, request, now) => {
      if (other !== undefined && now < other.until) return other.decision;
      const decision = limiter(caller, request, now);
      other = { until: now + RESPONSE_MS - TIMER_SLACK_MS, decision };
      return decision;
    };
  }),
  wrapService: (handle) => (request) => ({ ...handle(request), delayMs: RESPONSE_MS }),
};

/** Faults of the chapter "Limit enforcement": which requests share a counter. */
export const limitCounters: StatedFaults = {
  'counters-by-path': {
    description: 'Each path has a counter of its own.',
    breaks: ['LIMIT-5'],
    seenIn: 'the defaults of tollbooth and slowapi; Tyk’s limits for each endpoint',
    ...countedAs(({ id }, { target }) => `${id} ${target.split('?')[0]}`),
  },
  'updates-lost': {
    description: 'Simultaneous requests count as one.',
    breaks: ['LIMIT-6'],
    seenIn: 'AspNetCoreRateLimit#83, kong#2629: read, add one, write, without a lock',
    ...losingUpdates,
  },
  'one-counter-for-each-plan': {
    description: 'All callers of a plan share one counter.',
    breaks: ['LIMIT-7'],
    seenIn: 'keys cut to a common prefix before they are counted; ulule/limiter#230',
    ...countedAs(({ id }) => id.replace(/-\d+$/, '-1')),
  },
  'counters-by-claimed-address': {
    description: 'A caller that sends X-Forwarded-For is counted by the address in it.',
    breaks: ['LIMIT-8'],
    seenIn: 'express-rate-limit#134, with "trust proxy" enabled for all clients',
    ...countedAs(({ id }, request) => [id, ...headerValues(request, 'X-Forwarded-For')].join(' ')),
  },
  'wider-spaced-key-counted-apart': {
    description: 'A key after more than one space is accepted, and counted as another caller.',
    warnings: ['LIMIT-8'],
    seenIn: 'FastAPI’s HTTPBearer, which strips the spaces, before slowapi, which counts by the raw header',
    ...countedAs(({ id }, request) =>
      headerValues(request, 'Authorization').some((value) => / {2}/.test(value)) ? `${id} apart` : id,
    ),
  },
  'claimed-loopback-not-limited': {
    description:
      'Requests whose X-Forwarded-For is 127.0.0.1 bypass the limiter, and have no rate-limit headers.',
    breaks: ['RATE-1'],
    seenIn:
      'allow lists of local addresses behind a trusted proxy (@fastify/rate-limit, Rack::Attack’s safelist)',
    ...uncounted(claimsLoopback),
    ...onResponse((_, request) => claimsLoopback(request), withoutRateLimit),
  },
  'counters-by-connection': {
    description: 'Each connection has a counter of its own.',
    breaks: ['LIMIT-8', 'LIMIT-1'],
    seenIn: 'express-rate-limit#234 and fastify-rate-limit#7: the port treated as part of the address',
    ...countedAs(({ id }, { client }) => `${id} ${client.connection}`),
  },
  'counters-by-method-and-path': {
    description: 'Each method of each path has a counter of its own.',
    breaks: ['LIMIT-5'],
    seenIn: '@nestjs/throttler 6.7.1, with a counter for each handler',
    ...countedAs(({ id }, { method, target }) => `${id} ${method} ${target.split('?')[0]}`),
  },
  'workers-count-for-themselves': {
    description: 'Each of four workers, with connections of its own, has counters of its own.',
    breaks: ['LIMIT-1', 'LIMIT-6'],
    seenIn: 'gunicorn and Node’s cluster module with a limiter in memory',
    ...countedAs(({ id }, { client }) => `${id} ${client.connection % 4}`),
  },
  'counters-by-network-address': {
    description: 'Authenticated callers are counted by their address.',
    breaks: ['LIMIT-7'],
    seenIn: 'the default key of express-rate-limit, @fastify/rate-limit, slowapi and Flask-Limiter',
    ...countedAs((_, { client }) => client.address),
  },
  'counters-by-address-of-all': {
    description: 'Every request, with a key or without one, is counted by the address of the client.',
    breaks: ['RATE-7', 'LIMIT-2', 'LIMIT-7'],
    seenIn: 'the default key of express-rate-limit and httprate, in front of authentication',
    ...countingEverybody(({ client }) => client.address),
  },
  'counters-by-forwarded-address-of-all': {
    description: 'Every request, with a key or without one, is counted by the address that it claims.',
    breaks: ['RATE-7', 'LIMIT-2', 'LIMIT-7', 'LIMIT-8'],
    seenIn:
      'httprate’s KeyByRealIP, tower_governor’s SmartIpKeyExtractor, express-rate-limit with "trust proxy"',
    ...countingEverybody((request) => headerValues(request, 'X-Real-IP')[0] ?? request.client.address),
  },
  'counters-by-client-name': {
    description: 'Each User-Agent has a counter of its own.',
    breaks: ['LIMIT-8'],
    seenIn: 'fingerprints of anonymous clients, used for authenticated callers, too',
    ...countedAs(({ id }, request) => [id, ...headerValues(request, 'User-Agent')].join(' ')),
  },
  'crashes-under-concurrency': {
    description: 'Of simultaneous requests for the list only one succeeds; the others get 500.',
    breaks: ['LIST-1'],
    warnings: ['HTTP-4'],
    seenIn: 'SQLite’s "database is locked"; one connection shared by all requests',
    ...remembering(isList, ({ now }) => {
      let busyUntil = 0;
      return (response) => {
        const busy = now() < busyUntil;
        if (!busy) busyUntil = now() + RESPONSE_MS - TIMER_SLACK_MS;
        const shown = busy ? asError(response, 500) : response;
        return { ...shown, delayMs: RESPONSE_MS };
      };
    }),
  },
};
