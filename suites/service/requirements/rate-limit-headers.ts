import { judgeEach } from '../../../kernel/findings/judgement.ts';
import type { Requirement } from '../evidence/evidence.ts';
import { EVERY_PROBE, UNAUTHENTICATED } from '../probes/index.ts';
import {
  carries,
  limitProblem,
  remainingProblem,
  responsesWithHeaders,
} from './rate-limit-headers/presence.ts';
import { followsUse, matches429 } from './rate-limit-headers/remaining.ts';
import { resetProblem, resetsWithin } from './rate-limit-headers/reset.ts';

/** What shows whether an operation that the specification only names is there and belongs to the service. */
const NAMED = ['other-operations', 'invalid-credentials'] as const;

export const rateLimitHeaders: readonly Requirement[] = [
  carries(
    'RATE-1',
    ['preflight', 'first-creation', 'creations', 'list-after-creations', 'identities', ...NAMED],
    200,
    201,
    304,
  ),
  carries('RATE-2', ['rejections'], 400),
  carries('RATE-3', UNAUTHENTICATED, 401),
  carries('RATE-4', ['exhaust-quota'], 429),
  {
    id: 'RATE-5',
    probes: [...EVERY_PROBE.filter((id) => id !== 'further-plans'), 'further-plans'],
    whyItMatters:
      'Clients set their pace by Limit: a wrong value makes them too slow, or gets them rate-limited.',
    fix: 'Write the limit of the caller’s plan as a whole number into X-RateLimit-Limit.',
    judge: (evidence) =>
      judgeEach(evidence.fact(responsesWithHeaders), (exchange) => limitProblem(evidence, exchange), {
        good: 'Every Limit is a whole number and, for a known key, the limit of its plan',
        none: 'No response carries X-RateLimit-Limit.',
      }),
  },
  {
    id: 'RATE-6',
    probes: EVERY_PROBE,
    whyItMatters: 'Clients cannot calculate with a Remaining below zero or above Limit.',
    fix: 'Write max(0, limit − used) as a whole number into X-RateLimit-Remaining.',
    judge: (evidence) =>
      judgeEach(evidence.fact(responsesWithHeaders), remainingProblem, {
        good: 'Every Remaining is a whole number between 0 and Limit',
        none: 'No response carries X-RateLimit-Remaining.',
      }),
  },
  {
    id: 'RATE-7',
    probes: EVERY_PROBE,
    whyItMatters:
      'A client plans its next requests by Remaining, and plans wrongly if it does not follow its use.',
    fix: 'Count each request of the key once, in one atomic step, and write the result of that step into Remaining.',
    judge: followsUse,
  },
  {
    id: 'RATE-8',
    probes: ['preflight', 'exhaust-quota'],
    whyItMatters:
      'Clients that are rate-limited while Remaining is above 0 cannot rely on any of these headers.',
    fix: 'Take Remaining and the decision to answer 429 from the same counter, in the same step.',
    judge: matches429,
  },
  {
    id: 'RATE-9',
    probes: EVERY_PROBE,
    whyItMatters:
      'Clients wait until Reset. A value in the past makes them retry at once; one too far ahead makes them wait too long.',
    fix: 'Write the Unix time in seconds at which the window ends into X-RateLimit-Reset, from a synchronized clock.',
    judge: (evidence) =>
      judgeEach(evidence.fact(responsesWithHeaders), (exchange) => resetProblem(evidence, exchange), {
        good: resetsWithin(evidence.fact(responsesWithHeaders)),
        none: 'No response carries X-RateLimit-Reset.',
      }),
  },
];
