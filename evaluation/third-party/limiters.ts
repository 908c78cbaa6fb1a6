import type { Outcome } from '../../kernel/findings/record.ts';
import type { RequirementId } from '../../spec/register.ts';
import type { AppSettings, RunningApp } from './apps/app.ts';
import { startExpress } from './apps/express.ts';
import {
  expressRateLimit,
  limiterAsShipped,
  limiterConfigured,
  rateLimiterFlexible,
} from './apps/express-limiters.ts';
import { startFastify } from './apps/fastify.ts';
import { startHono } from './apps/hono.ts';
import { koaRatelimit, koaRatelimitConfigured, startKoa } from './apps/koa.ts';
import { startFlaskLimiter, withoutFlaskLimiter } from './apps/processes.ts';

/** An app with a third-party rate limiter, and the verdicts that it has to receive. */
export interface ThirdParty {
  /** The name of the package on npm, or Flask-Limiter on PyPI. */
  readonly library: string;
  readonly framework: string;
  /** How the library is configured: with its defaults, or so that it conforms. */
  readonly configuration: string;
  readonly start: (settings: AppSettings) => Promise<RunningApp>;
  /** Resolves to why this machine cannot start it, and what to do; to undefined where it can. */
  readonly whyUnavailable?: () => Promise<string | undefined>;
  readonly outcome: Outcome;
  /** All requirements that fail. */
  readonly fails: readonly RequirementId[];
  /** All requirements that warn in every run. */
  readonly warns: readonly RequirementId[];
  /** The requirements that warn in some runs, depending on the fraction of a second at which the run starts. */
  readonly sometimesWarns: readonly RequirementId[];
  /** All requirements that stay inconclusive, because a failed requirement hides them. */
  readonly inconclusive: readonly RequirementId[];
  /** Why these verdicts are right, for a reader who knows the specification. */
  readonly explanation: string;
}

const conforms = {
  outcome: 'conforms',
  fails: [],
  warns: [],
  sometimesWarns: [],
  inconclusive: [],
} as const;

/** No response has any of the three headers, so the requirements about their values stay inconclusive. */
const withoutHeaders = {
  outcome: 'violates',
  fails: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
  warns: ['MEDIA-2'],
  sometimesWarns: [],
  inconclusive: ['RATE-5', 'RATE-6', 'RATE-7', 'RATE-8', 'RATE-9', 'LIMIT-5'],
} as const;

/** All third-party implementations: typical apps of each framework, with the limiters set up as documented. */
export const thirdParties: readonly ThirdParty[] = [
  {
    library: 'express-rate-limit',
    framework: 'Express 5',
    configuration: 'as shipped (legacyHeaders)',
    start: (settings) => startExpress(settings, { limiter: expressRateLimit({}) }),
    ...conforms,
    warns: ['MEDIA-2'],
    explanation:
      'Its window begins with the first request. Its Reset is a Unix timestamp, rounded up, as is its Retry-After, ' +
      'and every response has the three headers. Only the body of its 429 is plain text; the specification does ' +
      'not show that body, so this is a warning.',
  },
  {
    library: 'express-rate-limit',
    framework: 'Express 5',
    configuration: 'configured: an Error as its message',
    start: startExpress,
    ...conforms,
    explanation: 'The body of its 429 is now an Error; it was the only warning.',
  },
  {
    library: 'express-rate-limit',
    framework: 'Express 5',
    configuration: 'standardHeaders: draft-8',
    start: (settings) =>
      startExpress(settings, {
        limiter: expressRateLimit({ legacyHeaders: false, standardHeaders: 'draft-8' }),
      }),
    ...withoutHeaders,
    explanation:
      'It sends the RateLimit fields of an Internet-Draft instead of the three headers of the specification. The ' +
      'limit itself is enforced. The values of missing headers cannot be judged; nor can LIMIT-5, because only the ' +
      'headers show whether the operations that the specification merely names are counted.',
  },
  {
    library: '@fastify/rate-limit',
    framework: 'Fastify 5',
    configuration: 'as shipped',
    start: (settings) => startFastify(settings, { headers: 'shipped' }),
    ...conforms,
    outcome: 'violates',
    fails: ['RATE-9'],
    explanation:
      'The limit is enforced, and all headers are right except one: X-RateLimit-Reset is a number of seconds, where ' +
      'the specification requires a Unix timestamp. A client that waits until "4" waits until 1970, so it does not wait.',
  },
  {
    library: '@fastify/rate-limit',
    framework: 'Fastify 5',
    configuration: 'configured: a hook adds the time to its Reset',
    start: startFastify,
    ...conforms,
    explanation: 'The hook turns the number of seconds into a timestamp. Everything else was right before.',
  },
  {
    library: 'rate-limiter-flexible',
    framework: 'Express 5',
    configuration: 'the headers of its README',
    start: (settings) => startExpress(settings, { limiter: rateLimiterFlexible(false) }),
    ...conforms,
    outcome: 'violates',
    fails: ['RETRY-2'],
    inconclusive: ['RETRY-3', 'RETRY-4'],
    explanation:
      'Its Retry-After is a fraction such as "3.887", which RFC 9110 §10.2.3 does not allow. An invalid value cannot ' +
      'be checked for whether the wait is long enough.',
  },
  {
    library: 'rate-limiter-flexible',
    framework: 'Express 5',
    configuration: 'configured: Retry-After in whole seconds, only on a 429',
    start: (settings) => startExpress(settings, { limiter: rateLimiterFlexible(true) }),
    ...conforms,
    explanation: 'Retry-After is rounded up to whole seconds. Its other values were right before.',
  },
  {
    library: 'hono-rate-limiter',
    framework: 'Hono 4',
    configuration: 'as shipped (draft-6)',
    start: (settings) => startHono(settings, { headers: 'draft' }),
    ...withoutHeaders,
    explanation:
      'It sends RateLimit-Limit, -Remaining and -Reset as in an Internet-Draft, where Reset is a number of seconds. ' +
      'No response has the three headers of the specification. The limit itself is enforced.',
  },
  {
    library: 'hono-rate-limiter',
    framework: 'Hono 4',
    configuration: 'configured: the three headers, from the values that it puts in the context',
    start: startHono,
    ...conforms,
    explanation: 'Its counter, its limit and the end of its window are the values of the three headers.',
  },
  {
    library: 'koa-ratelimit',
    framework: 'Koa 3',
    configuration: 'as shipped (memory)',
    start: (settings) => startKoa(settings, { limiter: koaRatelimit }),
    ...conforms,
    warns: ['MEDIA-2', 'RATE-9'],
    sometimesWarns: ['RETRY-4'],
    explanation:
      'Its Reset has a fraction of a second, and its Retry-After is rounded down. A client that waits that long ' +
      'retries up to a second early and usually receives another 429. A deviation of less than a second is a ' +
      'warning. The body of its 429 is plain text, which the specification leaves open.',
  },
  {
    library: 'koa-ratelimit',
    framework: 'Koa 3',
    configuration: 'configured: its Reset rounded up, Retry-After derived from it, an Error on 429',
    start: (settings) => startKoa(settings, { limiter: koaRatelimitConfigured }),
    ...conforms,
    explanation: 'The end of its window is exact, so the values rounded up from it are right.',
  },
  {
    library: 'limiter',
    framework: 'Express 5',
    configuration: 'the HTTP example of its README, one limiter for each caller',
    start: (settings) => startExpress(settings, { limiter: limiterAsShipped }),
    ...withoutHeaders,
    explanation:
      'It only counts; its example sends Retry-After, rounded up, and no other header. The limit is enforced and the ' +
      'wait is long enough, but no response has the three headers.',
  },
  {
    library: 'limiter',
    framework: 'Express 5',
    configuration: 'configured: the three headers, from its bucket and its interval',
    start: (settings) => startExpress(settings, { limiter: limiterConfigured }),
    ...conforms,
    explanation:
      'Remaining is the smaller of its tokens and the rest of its interval’s limit, and Reset is the time at which one ' +
      'more request is available. That conforms, because the specification names no algorithm.',
  },
  {
    library: 'Flask-Limiter',
    framework: 'Flask 3',
    configuration: 'as in its quick start: default_limits, headers_enabled',
    start: (settings) => startFlaskLimiter(settings, false),
    whyUnavailable: withoutFlaskLimiter,
    outcome: 'violates',
    fails: ['LIMIT-5'],
    warns: ['MEDIA-2'],
    sometimesWarns: ['RETRY-4'],
    inconclusive: ['RATE-7', 'LIMIT-1', 'LIMIT-6'],
    explanation:
      'Its default limits apply to each route separately, so a caller that both lists and creates may send twice the ' +
      'requests of the plan. Remaining therefore describes several counters, and requests accepted beyond the limit ' +
      'prove nothing more. Retry-After is rounded down to seconds, which shows in some runs. The body of its 429 is HTML.',
  },
  {
    library: 'Flask-Limiter',
    framework: 'Flask 3',
    configuration: 'configured: application_limits, retry_after="http-date", an Error on 429',
    start: (settings) => startFlaskLimiter(settings, true),
    whyUnavailable: withoutFlaskLimiter,
    ...conforms,
    explanation:
      'One limit covers the whole application. Every response has a Retry-After: a date, which is its Reset rounded up.',
  },
];
