import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { secondsToReset } from '../../../kernel/exchanges/rate-headers.ts';
import { mostRefill } from '../../../kernel/rate-limits/quota.ts';
import { isJump, readingOf, transitionsBefore429 } from '../../../kernel/rate-limits/series.ts';
import { waitScale, waitSeconds429 } from '../../../kernel/rate-limits/waits.ts';
import type { Evidence, Observable, Observed, Requirement } from '../evidence/evidence.ts';
import { acceptedAfter, exhaustingUse, uses } from '../evidence/uses.ts';
import { EXHAUSTS_QUOTA } from '../probes/index.ts';
import type { Use } from '../probes/recount.ts';
import { limitsWith429 } from './limit-enforcement/beyond-the-limit.ts';
import { acceptsWithin, limitsBeyondQuota } from './limit-enforcement/first-429.ts';
import { followsTheKey, isolatesCallers, oneCounter, operationsSeen } from './limit-enforcement/one-count.ts';
import { holdsUnderConcurrency } from './limit-enforcement/under-concurrency.ts';
import { enforcesTheDay } from './limit-enforcement/used-day.ts';
import { lastsAMinute } from './limit-enforcement/window.ts';

export const limitEnforcement: readonly Requirement[] = [
  {
    id: 'LIMIT-1',
    probes: [...EXHAUSTS_QUOTA, 'ban'],
    whyItMatters: 'The limit is part of the plan, and keeps one caller from exhausting the capacity of all.',
    fix: 'Count every request of the key before it is handled, and answer 429 once the limit of the plan is reached.',
    judge: limitsBeyondQuota,
  },
  {
    id: 'LIMIT-2',
    probes: [...EXHAUSTS_QUOTA, 'repetition', 'paced-window'],
    whyItMatters: 'A client that stays within the limit must be able to use all of its plan.',
    fix: 'Configure the limit of the plan as requests per minute, and count each request once.',
    judge: acceptsWithin,
  },
  {
    id: 'LIMIT-3',
    probes: [...EXHAUSTS_QUOTA, 'repetition', 'unavailable-again', 'ban'],
    whyItMatters:
      'Clients back off on 429 only; any other response beyond the limit makes them fail or retry at once.',
    fix: 'Have the limiter answer 429, also where a gateway limits: nginx needs `limit_req_status 429`.',
    judge: limitsWith429,
  },
  {
    id: 'LIMIT-4',
    probes: [...EXHAUSTS_QUOTA, 'recovery', 'refill', 'paced-window'],
    whyItMatters: 'A window of another length is another limit than that of the plan.',
    fix: 'Set the length of the window to 60 seconds.',
    judge: lastsAMinute,
  },
  {
    id: 'LIMIT-5',
    probes: ['preflight', 'first-creation', 'other-operations', 'exhaust-quota'],
    whyItMatters: 'With a limit per operation, a caller gets several times its plan.',
    fix: 'Use the key alone as the key of the counter, without route or method.',
    judge: (evidence) => oneCounter(evidence, ['operation'], operationsSeen),
  },
  {
    id: 'LIMIT-6',
    probes: ['preflight', 'first-batch', 'second-batch', 'exhaust-quota', 'full-burst'],
    whyItMatters:
      'Real clients send requests in parallel; a limit that holds only for one request at a time does not hold.',
    fix: 'Count in one atomic step (in Redis `INCR` or a script), in a store that all workers and instances share.',
    judge: holdsUnderConcurrency,
  },
  {
    id: 'LIMIT-7',
    probes: ['preflight', 'exhaust-quota', 'other-caller', 'other-caller-again'],
    whyItMatters: 'One busy caller must not affect another.',
    fix: 'Use the caller of the key as the key of the counter, not the address or the whole service.',
    judge: isolatesCallers,
  },
  {
    id: 'LIMIT-8',
    probes: ['preflight', 'first-batch', 'identities', 'exhaust-quota'],
    whyItMatters: 'A limit that follows what a client can change at will limits no client.',
    fix: 'Count by the key: not by the connection, the address, `X-Forwarded-For`, `User-Agent` or `Accept-Language`.',
    judge: followsTheKey,
  },
  {
    id: 'LIMIT-9',
    probes: ['exhausted-day', 'spend-day'],
    whyItMatters: 'The daily limit is the second half of every plan.',
    fix: 'Count the requests of a day, too, and answer 429 until the day ends.',
    judge: enforcesTheDay,
  },
];

export const openLimits: Observable = {
  id: 'LIMIT-10',
  probes: [...EXHAUSTS_QUOTA, 'recovery'],
  observe: inferAlgorithm,
};

/** What the run suggests about the algorithm: a guess for people; no verdict rests on it. */
function inferAlgorithm(evidence: Evidence): Observed {
  const use = evidence.fact(exhaustingUse);
  const limited = use?.limited?.exchange;
  if (use === undefined || limited === undefined)
    return { value: 'No 429 response was received, so nothing suggests an algorithm.' };
  const after = acceptedAfter(evidence, limited);
  return {
    value: `${guess(evidence, use, limited, after)}; ${rejectedCount(evidence)}; ${unauthenticatedCount(evidence)}.`,
    exchanges: after === undefined ? [limited] : [limited, after],
  };
}

function guess({ run }: Evidence, { first }: Use, limited: Exchange, after: Exchange | undefined): string {
  const { limits } = run;
  const scale = waitScale(limited, limits);
  if (scale === 'longer' || scale === 'unknown') {
    const wait = waitSeconds429(limited);
    return `the 429 announces ${wait === undefined ? 'no wait' : `a wait of ${wait} s`}, which suggests no algorithm`;
  }
  const remaining = after === undefined ? undefined : readingOf(after)?.remaining;
  const full = remaining !== undefined && remaining >= limits.perMinute - 2;
  const toReset = secondsToReset(first);
  const fullWindow = toReset !== undefined && toReset >= limits.minuteSeconds - 1;
  if (full)
    return fullWindow
      ? 'probably a fixed window from the first request'
      : 'probably a fixed window aligned to the clock';
  if (scale === 'next request')
    return 'probably a token bucket (or GCRA): the next request is available at once';
  return 'probably a sliding log or a sliding counter: the quota comes back in parts';
}

/** Whether responses with 400 took from Remaining. */
function rejectedCount(evidence: Evidence): string {
  const { quota } = evidence;
  const rejected = evidence
    .fact(uses)
    .flatMap(({ series }) => transitionsBefore429(series, quota.limit))
    .filter(
      (change) => change.requests === 1 && statusOf(change.to.exchange) === 400 && !isJump(change, quota),
    )
    // A Remaining that stayed shows nothing where as much may have come back meanwhile.
    .filter(({ fallen, atMostMs }) => fallen >= 1 || mostRefill(quota, atMostMs) < 1);
  if (rejected.length === 0) return 'nothing shows whether a 400 counts';
  const counted = rejected.filter((change) => change.fallen >= 1).length;
  if (counted === rejected.length) return 'a 400 counts';
  return counted === 0 ? 'a 400 does not count' : `a 400 counts in ${counted} of ${rejected.length} cases`;
}

function unauthenticatedCount(evidence: Evidence): string {
  const readings = evidence
    .by('unauthenticated')
    .filter((exchange) => statusOf(exchange) === 401)
    .flatMap((exchange) => readingOf(exchange) ?? []);
  const [first] = readings;
  const last = readings.at(-1);
  if (first === undefined || last === undefined || first === last)
    return 'nothing shows whether a 401 counts';
  return first.remaining > last.remaining
    ? `a 401 counts against a separate limit of ${last.limit} (exchanges ${first.exchange.n} to ${last.exchange.n})`
    : 'a 401 probably does not count';
}
