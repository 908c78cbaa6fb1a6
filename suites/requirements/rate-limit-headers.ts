import { judgeEach } from '../evidence/judgement.ts';
import type { Requirement } from '../evidence/requirement.ts';
import { creations, firstCreation } from '../probes/creations.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { probes } from '../probes/index.ts';
import { furtherPlans } from '../probes/other-callers.ts';
import { preflight } from '../probes/preflight.ts';
import { rejections } from '../probes/rejections.ts';
import {
  invalidCredentials,
  unauthenticatedAfterKey,
  unauthenticatedBeforeKey,
} from '../probes/unauthenticated.ts';
import { carries, every } from './rate-limit-headers/presence.ts';
import { accounts, keepsPromise } from './rate-limit-headers/remaining.ts';
import { resetProblem } from './rate-limit-headers/reset.ts';
import { limitProblem, remainingProblem } from './rate-limit-headers/values.ts';

/** Chapter "Rate-limit headers". */
export const rateLimitHeaders: readonly Requirement[] = [
  carries('RATE-1', [preflight, firstCreation, creations], 200, 201),
  carries('RATE-2', [rejections], 400),
  carries('RATE-3', [unauthenticatedBeforeKey, unauthenticatedAfterKey, invalidCredentials], 401),
  carries('RATE-4', [exhaustQuota], 429),
  {
    id: 'RATE-5',
    probes: [...probes.filter(({ id }) => id !== furtherPlans.id), furtherPlans],
    whyItMatters:
      'Clients size their pace by the Limit; a wrong one makes them too slow or gets them refused.',
    judge: (evidence) =>
      judgeEach(evidence.fact(every), (exchange) => limitProblem(evidence, exchange), {
        good: 'Every Limit is a whole number and, for a known key, its plan’s',
        none: 'No answer carries X-RateLimit-Limit.',
      }),
  },
  {
    id: 'RATE-6',
    probes: probes,
    whyItMatters: 'A Remaining below zero or above the limit cannot be reckoned with.',
    judge: (evidence) =>
      judgeEach(evidence.fact(every), remainingProblem, {
        good: 'Every Remaining is a whole number between 0 and Limit',
        none: 'No answer carries X-RateLimit-Remaining.',
      }),
  },
  {
    id: 'RATE-7',
    probes: probes,
    whyItMatters:
      'A client plans its next requests by Remaining; one that does not follow its use misleads it.',
    judge: accounts,
  },
  {
    id: 'RATE-8',
    probes: [preflight, exhaustQuota],
    whyItMatters:
      'Remaining is a promise: whoever is refused although some were left cannot trust any of the headers.',
    judge: keepsPromise,
  },
  {
    id: 'RATE-9',
    probes: probes,
    whyItMatters:
      'Clients sleep until Reset; one in the past makes them hammer, one too far away makes them wait for nothing.',
    judge: (evidence) =>
      judgeEach(evidence.fact(every), (exchange) => resetProblem(evidence, exchange), {
        good: 'Every Reset is a Unix timestamp inside the window that it describes',
        none: 'No answer carries X-RateLimit-Reset.',
      }),
  },
];
