import type { RequirementId } from '../../spec/register.ts';
import type { Outcome } from '../../suites/index.ts';
import { startExpressDraft8, startExpressRateLimit } from './express-app.ts';
import { startFastifyRateLimit } from './fastify-app.ts';
import { startRateLimiterFlexible } from './rate-limiter-flexible-app.ts';
import type { AppSettings, RunningApp } from './witness.ts';

/** Software that is not ours, and the verdict that its behaviour deserves. */
export interface Witness {
  readonly name: string;
  readonly start: (settings: AppSettings) => Promise<RunningApp>;
  readonly outcome: Outcome;
  /** Exactly the requirements that it violates. */
  readonly violates: readonly RequirementId[];
  /** Exactly the requirements that it is warned of. */
  readonly warned: readonly RequirementId[];
  /** Exactly the requirements of which nothing can be said, because a violation hides them. */
  readonly open: readonly RequirementId[];
  /** Why that is the right verdict, for a reader who knows the specification. */
  readonly because: string;
}

/** Every witness: apps as their frameworks' users would write them, with limiters as their documentation shows them. */
export const witnesses: readonly Witness[] = [
  {
    name: 'Express 5 with express-rate-limit 8 (legacyHeaders)',
    start: startExpressRateLimit,
    outcome: 'conforms',
    violates: [],
    warned: ['MEDIA-2'],
    open: [],
    because:
      'Its window begins with the first request, its Reset is a Unix timestamp rounded up, its Retry-After is ' +
      'rounded up, and every answer carries the three headers. Only the body of its 429 is plain text: the ' +
      'specification does not show that body, so this is a warning.',
  },
  {
    name: 'Fastify 5 with @fastify/rate-limit 11',
    start: startFastifyRateLimit,
    outcome: 'violates',
    violates: ['RATE-9'],
    warned: [],
    open: [],
    because:
      'It limits rightly and says so rightly but for one header: X-RateLimit-Reset counts the seconds left, where ' +
      'the specification has a Unix timestamp. A client that sleeps until "4" sleeps until 1970, hence not at all.',
  },
  {
    name: 'Express 5 with rate-limiter-flexible 11 (the headers of its README)',
    start: startRateLimiterFlexible,
    outcome: 'violates',
    violates: ['RETRY-2'],
    warned: [],
    open: ['RETRY-3', 'RETRY-4'],
    because:
      'Its Retry-After is a fraction such as "3.887", which RFC 9110 §10.2.3 does not know. Whether waiting that ' +
      'long is enough cannot be said of a value that has no meaning.',
  },
  {
    name: 'Express 5 with express-rate-limit 8 (standardHeaders: draft-8)',
    start: startExpressDraft8,
    outcome: 'violates',
    violates: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    warned: ['MEDIA-2'],
    open: ['RATE-5', 'RATE-6', 'RATE-7', 'RATE-8', 'RATE-9', 'LIMIT-5'],
    because:
      'It sends the RateLimit fields of an Internet-Draft and none of the three headers of the specification, on no ' +
      'answer. The limit itself holds. What the three would have said cannot be judged, nor can one thing that only ' +
      'they show: whether the operations that are merely named count with the others.',
  },
];
