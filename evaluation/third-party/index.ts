import type { RequirementId } from '../../spec/register.ts';
import type { Outcome } from '../../suites/index.ts';
import { findFlaskLimiter } from '../../tools/flask-limiter.ts';
import { startExpressDraft8, startExpressRateLimit, startExpressRateLimitConfigured } from './express-app.ts';
import { startFastifyRateLimit, startFastifyRateLimitConfigured } from './fastify-app.ts';
import { startFlaskLimiter } from './flask-limiter.ts';
import { startHonoRateLimiter, startHonoRateLimiterConfigured } from './hono-app.ts';
import { startKoaRatelimit, startKoaRatelimitConfigured } from './koa-app.ts';
import { startLimiter, startLimiterConfigured } from './limiter-app.ts';
import { startRateLimiterFlexible, startRateLimiterFlexibleConfigured } from './rate-limiter-flexible-app.ts';
import type { AppSettings, RunningApp } from './third-party.ts';

/** Software that is not ours, and the verdict that its behaviour deserves. */
export interface ThirdParty {
  /** The package: of npm, or Flask-Limiter of PyPI. */
  readonly library: string;
  readonly framework: string;
  /** How the library is set up: as it comes, or so that it conforms. */
  readonly configuration: string;
  readonly start: (settings: AppSettings) => Promise<RunningApp>;
  /** Why it cannot be started on this machine, and what to do; undefined where it can. */
  readonly missing?: () => Promise<string | undefined>;
  readonly outcome: Outcome;
  /** Exactly the requirements that it violates. */
  readonly violates: readonly RequirementId[];
  /** Exactly the requirements that it is warned of … */
  readonly warned: readonly RequirementId[];
  /** … besides those of which it is warned at some phases of a second and not at others. */
  readonly sometimes: readonly RequirementId[];
  /** Exactly the requirements of which nothing can be said, because a violation hides them. */
  readonly open: readonly RequirementId[];
  /** Why that is the right verdict, for a reader who knows the specification. */
  readonly because: string;
}

const clean = { outcome: 'conforms', violates: [], warned: [], sometimes: [], open: [] } as const;

/** None of the three headers on any answer: what they would have said cannot be judged. */
const withoutHeaders = {
  outcome: 'violates',
  violates: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
  warned: ['MEDIA-2'],
  sometimes: [],
  open: ['RATE-5', 'RATE-6', 'RATE-7', 'RATE-8', 'RATE-9', 'LIMIT-5'],
} as const;

/** Every witness: apps as their frameworks' users would write them, with limiters as their documentation shows them. */
export const thirdParties: readonly ThirdParty[] = [
  {
    library: 'express-rate-limit',
    framework: 'Express 5',
    configuration: 'as shipped (legacyHeaders)',
    start: startExpressRateLimit,
    ...clean,
    warned: ['MEDIA-2'],
    because:
      'Its window begins with the first request, its Reset is a Unix timestamp rounded up, its Retry-After is ' +
      'rounded up, and every answer carries the three headers. Only the body of its 429 is plain text: the ' +
      'specification does not show that body, so this is a warning.',
  },
  {
    library: 'express-rate-limit',
    framework: 'Express 5',
    configuration: 'configured: an Error as its message',
    start: startExpressRateLimitConfigured,
    ...clean,
    because: 'The body of its 429 was all that was left to say of it.',
  },
  {
    library: 'express-rate-limit',
    framework: 'Express 5',
    configuration: 'standardHeaders: draft-8',
    start: startExpressDraft8,
    ...withoutHeaders,
    because:
      'It sends the RateLimit fields of an Internet-Draft and none of the three headers of the specification, on no ' +
      'answer. The limit itself holds. What the three would have said cannot be judged, nor can one thing that only ' +
      'they show: whether the operations that are merely named count with the others.',
  },
  {
    library: '@fastify/rate-limit',
    framework: 'Fastify 5',
    configuration: 'as shipped',
    start: startFastifyRateLimit,
    ...clean,
    outcome: 'violates',
    violates: ['RATE-9'],
    because:
      'It limits rightly and says so rightly but for one header: X-RateLimit-Reset counts the seconds left, where ' +
      'the specification has a Unix timestamp. A client that sleeps until "4" sleeps until 1970, hence not at all.',
  },
  {
    library: '@fastify/rate-limit',
    framework: 'Fastify 5',
    configuration: 'configured: a hook adds the time to its Reset',
    start: startFastifyRateLimitConfigured,
    ...clean,
    because: 'The seconds that it counts down become a moment. Everything else was right before.',
  },
  {
    library: 'rate-limiter-flexible',
    framework: 'Express 5',
    configuration: 'the headers of its README',
    start: startRateLimiterFlexible,
    ...clean,
    outcome: 'violates',
    violates: ['RETRY-2'],
    open: ['RETRY-3', 'RETRY-4'],
    because:
      'Its Retry-After is a fraction such as "3.887", which RFC 9110 §10.2.3 does not know. Whether waiting that ' +
      'long is enough cannot be said of a value that has no meaning.',
  },
  {
    library: 'rate-limiter-flexible',
    framework: 'Express 5',
    configuration: 'configured: Retry-After in whole seconds, on refusals alone',
    start: startRateLimiterFlexibleConfigured,
    ...clean,
    because: 'What its README divides by 1000 is rounded up as well. Its numbers were right before.',
  },
  {
    library: 'hono-rate-limiter',
    framework: 'Hono 4',
    configuration: 'as shipped (draft-6)',
    start: startHonoRateLimiter,
    ...withoutHeaders,
    because:
      'It sends RateLimit-Limit, -Remaining and -Reset, the names of an Internet-Draft, whose Reset counts seconds ' +
      'down. The three headers of the specification are on no answer; the limit itself holds.',
  },
  {
    library: 'hono-rate-limiter',
    framework: 'Hono 4',
    configuration: 'configured: the three headers out of what it leaves in the context',
    start: startHonoRateLimiterConfigured,
    ...clean,
    because: 'Its counter, its limit and the end of its window are what the headers ask for.',
  },
  {
    library: 'koa-ratelimit',
    framework: 'Koa 3',
    configuration: 'as shipped (memory)',
    start: startKoaRatelimit,
    ...clean,
    warned: ['MEDIA-2', 'RATE-9'],
    sometimes: ['RETRY-4'],
    because:
      'Its Reset has a fraction of a second, and its Retry-After is rounded down: a client that waits as told comes up ' +
      'to a second early and is refused once more, unless next to nothing was cut off. Neither makes a promise that a ' +
      'second of patience does not keep. The body of its 429 is plain text, which the specification leaves open.',
  },
  {
    library: 'koa-ratelimit',
    framework: 'Koa 3',
    configuration: 'configured: its own Reset rounded up, Retry-After made of it, an Error on 429',
    start: startKoaRatelimitConfigured,
    ...clean,
    because: 'The moment at which its window ends is exact, so what is rounded up from it is true.',
  },
  {
    library: 'limiter',
    framework: 'Express 5',
    configuration: 'the HTTP example of its README, one limiter for each caller',
    start: startLimiter,
    ...withoutHeaders,
    because:
      'It counts and knows nothing of headers; its example writes Retry-After, rounded up, and nothing else. The limit ' +
      'holds and the wait is true, but every answer lacks the three headers.',
  },
  {
    library: 'limiter',
    framework: 'Express 5',
    configuration: 'configured: the three headers out of its bucket and its interval',
    start: startLimiterConfigured,
    ...clean,
    because:
      'What is left is the lesser of its tokens and of its interval’s allowance, and Reset is the moment at which one ' +
      'more is there: a lawful reading, since the specification names no algorithm.',
  },
  {
    library: 'Flask-Limiter',
    framework: 'Flask 3',
    configuration: 'as its documentation begins: default_limits, headers_enabled',
    start: (settings) => startFlask(settings, false),
    missing: withoutFlask,
    outcome: 'violates',
    violates: ['LIMIT-5'],
    warned: ['MEDIA-2'],
    sometimes: ['RETRY-4'],
    open: ['RATE-7', 'LIMIT-1', 'LIMIT-6'],
    because:
      'Its default limits hold for each route: a caller who lists and creates gets the plan twice, where the plan ' +
      'counts requests. So Remaining is no one count either, and what is accepted beyond the limit shows nothing more. Its Retry-After is cut to seconds, which shows at some ' +
      'phases of a second; the body of its 429 is HTML.',
  },
  {
    library: 'Flask-Limiter',
    framework: 'Flask 3',
    configuration: 'configured: application_limits, retry_after="http-date", an Error on 429',
    start: (settings) => startFlask(settings, true),
    missing: withoutFlask,
    ...clean,
    because:
      'One limit covers the application, and its Reset, rounded up, stands in Retry-After as a date, on every answer.',
  },
];

async function startFlask(settings: AppSettings, configured: boolean): Promise<RunningApp> {
  const found = await findFlaskLimiter();
  if (found.kind === 'missing') throw new Error(found.advice);
  return startFlaskLimiter(found.python, settings, configured);
}

async function withoutFlask(): Promise<string | undefined> {
  const found = await findFlaskLimiter();
  return found.kind === 'missing' ? `Flask-Limiter is not installed here. ${found.advice}` : undefined;
}
