import type { RequirementId } from '../../spec/register.ts';
import type { HeaderLine } from '../message.ts';
import type { Applies, Reply } from './answers.ts';
import { isCreated, isList, isRefused, onReply, plus, status, without } from './answers.ts';
import { onDecision } from './counting.ts';
import type { Fault } from './fault.ts';
import { headerFault } from './fault.ts';

const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const bare = (reply: Reply): Reply => without(reply, ...NAMES);

/** Faults of the chapter "Rate-limit headers": which answers carry them, and the Limit. */
export const rateLimitHeaders: readonly Fault[] = [
  missing('created-without-headers', 'A 201 has no rate-limit headers.', isCreated, {
    breaks: 'RATE-1',
    seen: 'limiters bound to some routes only',
  }),
  missing('refusal-without-headers', 'A 400 has no rate-limit headers.', status(400), {
    breaks: 'RATE-2',
    seen: 'hapi-rate-limit#33',
  }),
  missing(
    'malformed-json-without-headers',
    'Malformed JSON alone is answered without rate-limit headers.',
    isRefused('malformed_json'),
    {
      breaks: 'RATE-2',
      seen: 'Koa’s default error handler, which deletes every header that was set',
    },
  ),
  missing('unauthorized-without-headers', 'A 401 has no rate-limit headers.', status(401), {
    breaks: 'RATE-3',
    seen: 'acquisition#208, hapi-rate-limit#33; every limiter that runs after authentication',
  }),
  missing(
    'too-many-requests-without-headers',
    'A 429 has no rate-limit headers but Retry-After.',
    status(429),
    {
      breaks: 'RATE-4',
      seen: '@nestjs/throttler 6.7.1; APISIX (apisix#8381)',
    },
  ),
  {
    id: 'headers-only-on-429',
    says: 'Only a 429 has the rate-limit headers.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3'],
    seen: 'handlers that set them when they refuse, and only then',
    ...onReply((reply) => reply.status !== 429, bare),
  },
  {
    id: 'headers-under-other-names',
    says: 'The headers are called RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    seen: 'hono-rate-limiter, Kong, the IETF draft’s first versions',
    ...onReply(
      () => true,
      (reply) => ({
        ...reply,
        headers: reply.headers.map(
          ([name, value]): HeaderLine => [name.replace(/^X-RateLimit/, 'RateLimit'), value],
        ),
      }),
    ),
  },
  {
    id: 'list-without-reset',
    says: 'A list says what is left and not when the limit resets.',
    breaks: ['RATE-1'],
    seen: 'limitador#473',
    ...onReply(isList, (reply) => without(reply, 'X-RateLimit-Reset')),
  },
  {
    id: 'too-many-requests-without-remaining',
    says: 'A 429 does not say that 0 requests are left.',
    breaks: ['RATE-4'],
    seen: 'template engines and header writers that leave out what is falsy',
    ...onReply(status(429), (reply) => without(reply, 'X-RateLimit-Remaining')),
  },
  {
    id: 'two-limits-on-created',
    says: 'A 201 has two Limit lines with different values.',
    breaks: ['RATE-1'],
    seen: 'slowapi#33, sebak#560; two stacked limiters that add instead of set',
    ...onReply(isCreated, (reply) => plus(reply, ['X-RateLimit-Limit', '1000000'])),
  },
  {
    id: 'headers-twice-on-list',
    says: 'A list has each of the three headers twice, with the same value.',
    breaks: [],
    warns: ['RATE-1'],
    seen: 'a limiter bound to the application and to the route (ulule/limiter, when nested)',
    ...onReply(isList, (reply) =>
      plus(reply, ...reply.headers.filter(([name]) => NAMES.some((one) => one === name))),
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
      seen: 'Envoy’s rate-limit filter',
    },
  ),
  headerFault('limit-with-decimals', 'The Limit of a 201 has decimals.', 'X-RateLimit-Limit', {
    applies: isCreated,
    change: (limit) => `${limit}.00`,
    breaks: 'RATE-5',
    seen: 'didip/tollbooth ("1.00")',
  }),
  {
    id: 'limit-of-another-plan',
    says: 'The Limit is five times the plan’s, while the plan’s is enforced.',
    breaks: ['RATE-5'],
    seen: 'headers written from a default configuration',
    ...onDecision((decision) => ({ ...decision, limit: 5 * decision.limit })),
  },
];

/** No rate-limit headers on some answers. */
function missing(
  id: string,
  says: string,
  applies: Applies,
  { breaks, seen }: { readonly breaks: RequirementId; readonly seen: string },
): Fault {
  return { id, says, breaks: [breaks], seen, ...onReply(applies, bare) };
}
