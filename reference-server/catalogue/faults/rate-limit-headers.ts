import { limitsOf } from '../../../spec/plans.ts';
import { onDecision, withQuota } from '../wrappers/counting.ts';
import {
  always,
  changingHeader,
  editing,
  hasStatus,
  isCreated,
  isList,
  isOrders,
  onResponse,
  remembering,
  withLines,
  withNames,
  withoutRateLimit,
  withText,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Faults of the chapter "Rate-limit headers": which responses have them, and the Limit. */
export const rateLimitHeaders: StatedFaults = {
  'rejection-without-headers': {
    description: 'A 400 response has no rate-limit headers.',
    breaks: ['RATE-2'],
    seenIn: 'hapi-rate-limit#33',
    ...onResponse(hasStatus(400), withoutRateLimit),
  },
  'unauthorized-without-headers': {
    description: 'A 401 response has no rate-limit headers.',
    breaks: ['RATE-3'],
    seenIn: 'acquisition#208, hapi-rate-limit#33; every limiter that runs after authentication',
    ...onResponse(hasStatus(401), withoutRateLimit),
  },
  'headers-only-on-429': {
    description: 'Only 429 responses have the rate-limit headers.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3'],
    seenIn: 'handlers that set them only when the limit is exceeded',
    ...onResponse((response) => response.status !== 429, withoutRateLimit),
  },
  'headers-under-near-names': {
    description: 'The headers are named X-Rate-Limit-Limit, X-Rate-Limit-Remaining and X-Rate-Limit-Reset.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    seenIn: 'Twitter’s first interface, and services that follow it',
    ...onResponse(always, (response) =>
      withNames(response, (name) => name.replace(/^X-RateLimit/, 'X-Rate-Limit')),
    ),
  },
  'headers-absent': {
    description: 'No response has rate-limit headers.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    seenIn: 'the defaults of nginx, Traefik, rack-attack and django-ratelimit',
    ...onResponse(always, withoutRateLimit),
  },
  'headers-missing-now-and-then': {
    description: 'Every seventh response has no rate-limit headers.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3'],
    seenIn: 'one of several nodes with an older release',
    ...remembering(always, () => {
      let responses = 0;
      return (response) => {
        responses += 1;
        return responses % 7 === 0 ? withoutRateLimit(response) : response;
      };
    }),
  },
  'orders-without-headers': {
    description: 'GET /store/orders returns 200 without rate-limit headers.',
    breaks: ['RATE-1'],
    seenIn: 'slowapi and tollbooth, whose limits are bound to a path',
    ...onResponse(
      ({ status }, request) => status !== 401 && isOrders(request),
      (response) => withoutRateLimit({ ...withText(response, '[]'), status: 200 }),
    ),
  },
  'created-without-remaining': {
    description: 'A 201 response has no X-RateLimit-Remaining.',
    breaks: ['RATE-1'],
    seenIn: 'headers written before the counter is read',
    ...editing(isCreated, { without: ['X-RateLimit-Remaining'] }),
  },
  'list-without-reset': {
    description: 'A list has no X-RateLimit-Reset.',
    breaks: ['RATE-1'],
    seenIn: 'limitador#473',
    ...editing(isList, { without: ['X-RateLimit-Reset'] }),
  },
  'two-limits-on-created': {
    description: 'A 201 response has two X-RateLimit-Limit lines with different values.',
    breaks: ['RATE-1'],
    seenIn: 'slowapi#33, sebak#560; two stacked limiters that add instead of set',
    ...editing(isCreated, { lines: { 'X-RateLimit-Limit': '1000000' } }),
  },
  'headers-twice-on-list': {
    description: 'A list has each of the three headers twice, with the same value.',
    warnings: ['RATE-1'],
    seenIn: 'a limiter bound to the application and to the route (nested ulule/limiter)',
    ...onResponse(isList, (response) =>
      withLines(response, ...response.headers.filter(([name]) => name.startsWith('X-RateLimit-'))),
    ),
  },
  'limit-with-policy': {
    description: 'The Limit of a 201 response includes a policy: "60, 60;w=60".',
    breaks: ['RATE-5'],
    seenIn: 'Envoy’s rate-limit filter',
    ...changingHeader(isCreated, 'X-RateLimit-Limit', (limit) => `${limit}, ${limit};w=60`),
  },
  'limit-of-the-day-shown': {
    description: 'Limit is that of the day, and Remaining and Reset are those of the minute.',
    warnings: ['RATE-5'],
    seenIn: 'two limiters, of which the later one replaces a part of the headers',
    ...changingHeader(always, 'X-RateLimit-Limit', (limit) => (limit === '60' ? '1000' : limit)),
  },
  'free-limit-for-everybody': {
    description: 'Every caller has the limits of the Free plan.',
    breaks: ['RATE-5'],
    seenIn: 'limits keyed by a plan that the gateway does not pass on',
    ...withQuota('minute', (quota, { plans }) => ({ ...quota, limit: limitsOf(plans, 'free').perMinute })),
  },
  'limit-of-another-plan': {
    description: 'The Limit is five times the plan’s, while the plan’s limit is enforced.',
    breaks: ['RATE-5'],
    seenIn: 'headers written from a default configuration',
    ...onDecision((decision) => ({ ...decision, limit: 5 * decision.limit })),
  },
};
