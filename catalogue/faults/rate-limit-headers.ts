import type { Seams } from '../../reference-server/seams.ts';
import type { HeaderLine } from '../../reference-server/service/message.ts';
import { limitsOf } from '../../spec/plans.ts';
import type { RequirementId } from '../../spec/register.ts';
import { onDecision } from '../wrappers/counting.ts';
import type { Applies, SentResponse } from '../wrappers/responses.ts';
import {
  hasStatus,
  isCreated,
  isList,
  isRejected,
  isRequestFor,
  onResponse,
  withLines,
  withoutHeaders,
} from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';
import { headerFault } from './fault.ts';

const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const bare = (response: SentResponse): SentResponse => withoutHeaders(response, ...NAMES);

/** Faults of the chapter "Rate-limit headers": which answers carry them, and the Limit. */
export const rateLimitHeaders: readonly Fault[] = [
  missing('created-without-headers', 'A 201 has no rate-limit headers.', isCreated, {
    breaks: 'RATE-1',
    seenIn: 'limiters bound to some routes only',
  }),
  missing('refusal-without-headers', 'A 400 has no rate-limit headers.', hasStatus(400), {
    breaks: 'RATE-2',
    seenIn: 'hapi-rate-limit#33',
  }),
  missing(
    'malformed-json-without-headers',
    'Malformed JSON alone is answered without rate-limit headers.',
    isRejected('malformed_json'),
    {
      breaks: 'RATE-2',
      seenIn: 'Koa’s default error handler, which deletes every header that was set',
    },
  ),
  missing('unauthorized-without-headers', 'A 401 has no rate-limit headers.', hasStatus(401), {
    breaks: 'RATE-3',
    seenIn: 'acquisition#208, hapi-rate-limit#33; every limiter that runs after authentication',
  }),
  missing(
    'too-many-requests-without-headers',
    'A 429 has no rate-limit headers but Retry-After.',
    hasStatus(429),
    {
      breaks: 'RATE-4',
      seenIn: '@nestjs/throttler 6.7.1; APISIX (apisix#8381)',
    },
  ),
  {
    id: 'headers-only-on-429',
    description: 'Only a 429 has the rate-limit headers.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3'],
    seenIn: 'handlers that set them when they refuse, and only then',
    ...onResponse((response) => response.status !== 429, bare),
  },
  {
    id: 'headers-under-other-names',
    description: 'The headers are called RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    seenIn: 'hono-rate-limiter, Kong, the IETF draft’s first versions',
    ...onResponse(
      () => true,
      (response) => ({
        ...response,
        headers: response.headers.map(
          ([name, value]): HeaderLine => [name.replace(/^X-RateLimit/, 'RateLimit'), value],
        ),
      }),
    ),
  },
  {
    id: 'headers-absent',
    description: 'No answer carries a rate-limit header.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    seenIn: 'nginx, Traefik, rack-attack and django-ratelimit defaults',
    ...onResponse(() => true, bare),
  },
  missing(
    'scalar-body-without-headers',
    'A body that is no object alone is refused without rate-limit headers.',
    isRejected('invalid_body'),
    {
      breaks: 'RATE-2',
      seenIn: 'strict parsers that stand before the limiter',
    },
  ),
  {
    id: 'headers-missing-now-and-then',
    description: 'Every seventh answer has no rate-limit headers.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3'],
    seenIn: 'one node of several that runs an older release',
    ...baringEverySeventh(),
  },
  {
    id: 'orders-without-headers',
    description: 'GET /store/orders has no rate-limit headers.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-5',
      because:
        'The specification shows no answer of the operation, so that one that is not there may be answered by a router in front of the service. LIMIT-5 is inconclusive for it, and the run incomplete.',
    },
    seenIn: 'slowapi and tollbooth, whose limits are bound to a path',
    ...onResponse(
      (response, request) => response.status !== 401 && isRequestFor('GET', '/v1/store/orders', request),
      bare,
    ),
  },
  missing('list-without-limit', 'A list does not say what the limit is.', isList, {
    header: 'X-RateLimit-Limit',
    breaks: 'RATE-1',
    seenIn: 'services that think the limit is known from the contract',
  }),
  missing('created-without-remaining', 'A 201 does not say what is left.', isCreated, {
    header: 'X-RateLimit-Remaining',
    breaks: 'RATE-1',
    seenIn: 'headers set before the counter is read',
  }),
  missing('refusal-without-reset', 'A 400 does not say when the limit resets.', hasStatus(400), {
    header: 'X-RateLimit-Reset',
    breaks: 'RATE-2',
    seenIn: 'limitador#473',
  }),
  missing('unauthorized-without-limit', 'A 401 does not say what the limit is.', hasStatus(401), {
    header: 'X-RateLimit-Limit',
    breaks: 'RATE-3',
    seenIn: 'limiters that know no plan for strangers',
  }),
  missing('too-many-requests-without-reset', 'A 429 does not say when the limit resets.', hasStatus(429), {
    header: 'X-RateLimit-Reset',
    breaks: 'RATE-4',
    seenIn: 'services that think Retry-After says it already',
  }),
  {
    id: 'list-without-reset',
    description: 'A list says what is left and not when the limit resets.',
    breaks: ['RATE-1'],
    seenIn: 'limitador#473',
    ...onResponse(isList, (response) => withoutHeaders(response, 'X-RateLimit-Reset')),
  },
  {
    id: 'too-many-requests-without-remaining',
    description: 'A 429 does not say that 0 requests are left.',
    breaks: ['RATE-4'],
    seenIn: 'template engines and header writers that leave out what is falsy',
    ...onResponse(hasStatus(429), (response) => withoutHeaders(response, 'X-RateLimit-Remaining')),
  },
  {
    id: 'two-limits-on-created',
    description: 'A 201 has two Limit lines with different values.',
    breaks: ['RATE-1'],
    seenIn: 'slowapi#33, sebak#560; two stacked limiters that add instead of set',
    ...onResponse(isCreated, (response) => withLines(response, ['X-RateLimit-Limit', '1000000'])),
  },
  {
    id: 'headers-twice-on-list',
    description: 'A list has each of the three headers twice, with the same value.',
    breaks: [],
    warnings: ['RATE-1'],
    seenIn: 'a limiter bound to the application and to the route (ulule/limiter, when nested)',
    ...onResponse(isList, (response) =>
      withLines(response, ...response.headers.filter(([name]) => NAMES.some((one) => one === name))),
    ),
  },
  headerFault(
    'limit-with-policy',
    'The Limit of a 201 carries a policy: "60, 60;w=60".',
    'X-RateLimit-Limit',
    {
      applies: isCreated,
      change: (limit) => `${limit}, ${limit};w=60`,
      breaks: 'RATE-5',
      seenIn: 'Envoy’s rate-limit filter',
    },
  ),
  headerFault('limit-with-decimals', 'The Limit of a 201 has decimals.', 'X-RateLimit-Limit', {
    applies: isCreated,
    change: (limit) => `${limit}.00`,
    breaks: 'RATE-5',
    seenIn: 'didip/tollbooth ("1.00")',
  }),
  headerFault('two-limits-in-one-line', 'The Limit of a 201 is a list: "60, 1000".', 'X-RateLimit-Limit', {
    applies: isCreated,
    change: (limit) => `${limit}, 1000`,
    breaks: 'RATE-5',
    seenIn: 'slowapi#33, sebak#560, after a proxy has joined the lines',
  }),
  headerFault('limit-with-unit', 'The Limit of a list names its unit: "60 requests".', 'X-RateLimit-Limit', {
    applies: isList,
    change: (limit) => `${limit} requests`,
    breaks: 'RATE-5',
    seenIn: 'values written for people',
  }),
  headerFault('limit-unlimited', 'The Limit of a list is "unlimited".', 'X-RateLimit-Limit', {
    applies: isList,
    change: () => 'unlimited',
    breaks: 'RATE-5',
    seenIn: 'plans whose number is null',
  }),
  headerFault('limit-zero-on-429', 'The Limit of a 429 is 0.', 'X-RateLimit-Limit', {
    applies: hasStatus(429),
    change: () => '0',
    breaks: 'RATE-5',
    seenIn: 'apisix#8381, where a refused request finds no record',
  }),
  {
    id: 'free-limit-for-everybody',
    description: 'Every caller has the limits of the plan Free.',
    breaks: ['RATE-5'],
    seenIn: 'limits keyed by a plan that the gateway does not pass on',
    wrapLimiter: (limiter, { plans }) => ({
      consume(caller, request, now) {
        const { perMinute } = limitsOf(plans, 'free');
        const quotas = caller.quotas.map((quota) =>
          quota.window === 'minute' ? { ...quota, limit: perMinute } : quota,
        );
        return limiter.consume({ ...caller, quotas }, request, now);
      },
    }),
  },
  {
    id: 'day-limit-of-another-plan',
    description: 'The headers describe the day, by the number of a plan ten times as great.',
    breaks: ['RATE-5'],
    seenIn: 'numbers of the contract typed into two configurations',
    ...onDecision((decision, caller) => {
      const day = caller.quotas.find(({ window }) => window === 'day')?.limit ?? 0;
      const used = decision.limit - decision.remaining;
      return { ...decision, limit: 10 * day, remaining: 10 * day - used };
    }),
  },
  {
    id: 'limit-of-another-plan',
    description: 'The Limit is five times the plan’s, while the plan’s is enforced.',
    breaks: ['RATE-5'],
    seenIn: 'headers written from a default configuration',
    ...onDecision((decision) => ({ ...decision, limit: 5 * decision.limit })),
  },
];

/** One rate-limit header, or all three, missing on some answers. */
function missing(
  id: string,
  description: string,
  applies: Applies,
  how: {
    readonly breaks: RequirementId;
    readonly seenIn: string;
    readonly header?: (typeof NAMES)[number];
  },
): Fault {
  const { breaks, seenIn, header } = how;
  const names = header === undefined ? NAMES : [header];
  return {
    id,
    description,
    breaks: [breaks],
    seenIn,
    ...onResponse(applies, (response) => withoutHeaders(response, ...names)),
  };
}

function baringEverySeventh(): Seams {
  return {
    wrapService(handle) {
      let answers = 0;
      return (request) => {
        const outcome = handle(request);
        answers += 1;
        return outcome.kind === 'response' && answers % 7 === 0 ? bare(outcome) : outcome;
      };
    },
  };
}
