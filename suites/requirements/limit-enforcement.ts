import type { Observable, Requirement } from '../evidence/requirement.ts';
import { firstBatch, firstCreation, secondBatch } from '../probes/creations.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { identities, otherOperations } from '../probes/open-behavior.ts';
import { otherCallerAgain } from '../probes/other-caller-again.ts';
import { exhaustedDay, otherCaller } from '../probes/other-callers.ts';
import { preflight } from '../probes/preflight.ts';
import { recovery, refill } from '../probes/recovery.ts';
import { repetition } from '../probes/repetition.ts';
import { inferAlgorithm } from './limit-enforcement/algorithm.ts';
import { enforcesTheDay } from './limit-enforcement/day.ts';
import { isolatesCallers } from './limit-enforcement/isolation.ts';
import {
  followsTheKey,
  holdsUnderConcurrency,
  oneCounter,
  operationsSeen,
} from './limit-enforcement/one-count.ts';
import { acceptsWithin, limitsBeyondQuota, limitsWith429 } from './limit-enforcement/refusal.ts';
import { lastsAMinute } from './limit-enforcement/window.ts';

const FAIRNESS = 'The limit is what the plan sells, and what keeps one caller from taking everybody’s share.';

const DRAINS = [preflight, exhaustQuota] as const;

/** Chapter "Limit enforcement". */
export const limitEnforcement: readonly Requirement[] = [
  { id: 'LIMIT-1', probes: DRAINS, whyItMatters: FAIRNESS, judge: limitsBeyondQuota },
  {
    id: 'LIMIT-2',
    probes: [...DRAINS, repetition],
    whyItMatters: 'Whoever is refused within the limit does not get what the plan promises.',
    judge: acceptsWithin,
  },
  {
    id: 'LIMIT-3',
    probes: [...DRAINS, repetition],
    whyItMatters: 'Clients back off on 429 and on nothing else; another refusal makes them fail or hammer.',
    judge: limitsWith429,
  },
  {
    id: 'LIMIT-4',
    probes: [...DRAINS, recovery, refill],
    whyItMatters: 'A window of another length is another limit than the plan’s.',
    judge: lastsAMinute,
  },
  {
    id: 'LIMIT-5',
    probes: [preflight, firstCreation, otherOperations, exhaustQuota],
    whyItMatters: 'With a limit for each operation a caller gets several times the plan.',
    judge: (evidence) => oneCounter(evidence, 'operation', operationsSeen),
  },
  {
    id: 'LIMIT-6',
    probes: [preflight, firstBatch, secondBatch, exhaustQuota],
    whyItMatters: 'Real clients send at the same time; a limit that only holds in single file does not hold.',
    judge: holdsUnderConcurrency,
  },
  {
    id: 'LIMIT-7',
    probes: [preflight, exhaustQuota, otherCaller, otherCallerAgain],
    whyItMatters: 'One busy customer must not shut out another.',
    judge: isolatesCallers,
  },
  {
    id: 'LIMIT-8',
    probes: [preflight, firstBatch, identities, exhaustQuota],
    whyItMatters: 'A limit that follows what the client can change at will limits nobody.',
    judge: followsTheKey,
  },
  {
    id: 'LIMIT-9',
    probes: [exhaustedDay],
    whyItMatters: 'The limit of the day is the other half of every plan.',
    judge: enforcesTheDay,
  },
];

/** What the specification leaves open about the limit. */
export const openLimits: readonly Observable[] = [
  { id: 'LIMIT-10', probes: [...DRAINS, recovery], observe: inferAlgorithm },
];
