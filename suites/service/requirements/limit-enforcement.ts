import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import {
  accepted,
  exchangeName,
  isKeyRejected,
  isRateLimited,
  receivedText,
  unavailable,
} from '../../../kernel/exchanges/outcome-kinds.ts';
import { literalWaitSeconds } from '../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../kernel/findings/finding-text.ts';
import type { AdverseJudgement, Judgement, Shown } from '../../../kernel/findings/judgement.ts';
import {
  fail,
  inconclusive,
  isAdverse,
  notTested,
  pass,
  unproven,
} from '../../../kernel/findings/judgement.ts';
import { readingOf } from '../../../kernel/rate-limits/series.ts';
import { circumstances } from '../evidence/circumstances.ts';
import type { Evidence, Observable, Requirement } from '../evidence/evidence.ts';
import { ifRepeated } from '../evidence/repeated.ts';
import { exhaustingUse } from '../evidence/uses.ts';
import { ban } from '../probes/ban.ts';
import { firstBatch, firstCreation, secondBatch } from '../probes/creations.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { fullBurst } from '../probes/full-burst.ts';
import { identities, otherOperations } from '../probes/open-behavior.ts';
import {
  EXHAUSTED_KEY_REQUESTS,
  exhaustedDay,
  otherCaller,
  otherCallerAgain,
} from '../probes/other-callers.ts';
import { pacedWindow } from '../probes/paced-window.ts';
import { preflight } from '../probes/preflight.ts';
import type { Use } from '../probes/recount.ts';
import { recovery, refill } from '../probes/recovery.ts';
import { repetition } from '../probes/repetition.ts';
import { spendDay } from '../probes/spend-day.ts';
import { unavailableAgain } from '../probes/unavailable-again.ts';
import { inferAlgorithm } from './limit-enforcement/algorithm.ts';
import type { OtherStatus } from './limit-enforcement/beyond-the-limit.ts';
import {
  limitedUnderOtherStatus,
  otherStatus,
  otherwiseBeyondLimit,
} from './limit-enforcement/beyond-the-limit.ts';
import { acceptsWithin, limitsBeyondQuota } from './limit-enforcement/first-429.ts';
import { isolatesCallers } from './limit-enforcement/isolation.ts';
import {
  followsTheKey,
  holdsUnderConcurrency,
  oneCounter,
  operationsSeen,
} from './limit-enforcement/one-count.ts';
import { whereUnavailable } from './limit-enforcement/unavailable-again.ts';
import { ofUsedDay } from './limit-enforcement/used-day.ts';
import { lastsAMinute, WINDOW_SLACK } from './limit-enforcement/window.ts';

const UNFINISHED = 'A rolling day may have given a few requests back, and too few were sent to exhaust them.';
const ROLLING = 'If the day is a rolling one, run right after its quota was exhausted.';

const NEEDS =
  'This needs a run that uses the daily quota of the key (--spend-day), or a key whose daily quota is already exhausted (--exhausted-key-env).';

/** LIMIT-9: whether the daily quota is enforced: of the key under test, where the run used it, and of an exhausted key. */
function enforcesTheDay(evidence: Evidence): Judgement {
  const { exhaustedKey, spendDay } = evidence.run.inputs;
  const exhausted = exhaustedKey ? ofExhaustedKey(evidence) : undefined;
  if (exhausted !== undefined && isAdverse(exhausted)) return exhausted;
  return spendDay === true ? ofUsedDay(evidence) : (exhausted ?? notTested(NEEDS));
}

/** Whether a key whose daily quota is exhausted, as the user states, is rate-limited. */
function ofExhaustedKey(evidence: Evidence): Judgement {
  const sent = evidence.of(exhaustedDay);
  const exchange = sent.at(-1);
  if (exchange === undefined) return inconclusive(evidence.whyNothing(exhaustedDay));
  const shown = [exchange];
  const reading = readingOf(exchange);
  const { limits } = evidence.run;
  if (isRateLimited(exchange)) {
    const limited = 'The key with an exhausted daily quota was rate-limited';
    if ((literalWaitSeconds(answerOf(exchange)) ?? 0) > limits.minuteSeconds + WINDOW_SLACK)
      return pass(`${limited} for longer than a minute.`, shown);
    if (reading?.limit === limits.perDay)
      return pass(`${limited}, and the headers describe the daily limit.`, shown);
    return inconclusive(
      `${exchangeName(exchange)} returned 429, but nothing in it shows whether the day or the minute is the reason.`,
      shown,
    );
  }
  const fact = {
    expected: '429 for a key whose daily quota is exhausted',
    received: receivedText(exchange),
  };
  if (reading !== undefined && reading.limit > limits.perMinute && reading.remaining > 0)
    return unproven(
      fact,
      `Its headers have Remaining ${reading.remaining} of ${reading.limit}, so the daily quota of this key is not exhausted.`,
      shown,
    );
  if (!accepted(exchange)) return unproven(fact, 'This is neither a success nor a 429.', shown);
  return sent.length < EXHAUSTED_KEY_REQUESTS
    ? unproven(fact, UNFINISHED, shown)
    : fail(
        { ...fact, reasoning: `The ${sent.length - 1} requests before it were accepted, too. ${ROLLING}` },
        sent,
      );
}

/** LIMIT-3: whether the request beyond the limit returns 429 and nothing else. */
function limitsWith429(evidence: Evidence): Judgement {
  const use = evidence.fact(exhaustingUse);
  if (use === undefined) return inconclusive(evidence.whyNothing(preflight, exhaustQuota));
  const beyond = otherwiseBeyondLimit(evidence);
  if (beyond !== undefined) return beyond;
  if (use.limited !== undefined)
    return pass('The request at which the quota ended returned 429.', [use.limited.exchange]);
  const expected = '429 beyond the limit';
  const disguised = limitedUnderOtherStatus(evidence, use);
  if (disguised !== undefined) {
    const received = `200 with a body that is not a list in ${exchangeName(disguised)}`;
    return fail({ expected, received }, [disguised]);
  }
  const other = otherStatus(evidence, use);
  if (other === undefined)
    return inconclusive(evidence.lacking('No request was rate-limited.', exhaustQuota));
  return otherThan429(evidence, other, { expected, received: receivedText(other.exchange) });
}

/** What a response that is neither success nor 429 proves at the end of the quota. */
function otherThan429(evidence: Evidence, { exchange, beyond }: OtherStatus, fact: Fact): Judgement {
  const shown = [exchange];
  const lost = evidence.exchanges.some((one) => one.n < exchange.n && statusOf(one) === undefined);
  if (statusOf(exchange) === undefined && lost)
    return unproven(fact, 'Other responses of this run were lost, too, so it may be the network.', shown);
  // A key without other clients, or one that worked again and was rejected at the same point each time, is no banned key.
  const mayBeBanned = !beyond || !(evidence.exclusive || workedLater(evidence, exchange));
  if (evidence.lost.has(exchange) && mayBeBanned)
    return unproven(fact, 'Every later request received the same, so the key may have been banned.', shown);
  if (unavailable(exchange)) return whereUnavailable(evidence, exchange, fact);
  if (beyond) return ifNoBan(evidence, exchange, fail(fact, shown));
  const beside = evidence.fact(circumstances)?.text;
  const reason = 'It came before the limit was reached, so it may have another reason.';
  return unproven(fact, beside === undefined ? reason : `${reason} ${beside}`, shown);
}

const workedLater = (evidence: Evidence, { n }: Exchange): boolean =>
  evidence.by('key').some((one) => one.n > n && accepted(one));

/** A banned key returns 401 or 403, too, and another client may have caused the ban: only a repetition proves it. */
function ifNoBan(evidence: Evidence, exchange: Exchange, adverse: AdverseJudgement & Shown): Judgement {
  if (!isKeyRejected(exchange)) return adverse;
  const status = statusOf(exchange);
  const again = ({ series }: Use): number | undefined =>
    series.some(({ exchanges }) => exchanges.some((one) => statusOf(one) === status)) ? status : undefined;
  return ifRepeated(evidence, adverse, again);
}

const EXHAUSTS_QUOTA = [preflight, exhaustQuota] as const;

/** Chapter "Limit enforcement". */
export const limitEnforcement: readonly Requirement[] = [
  {
    id: 'LIMIT-1',
    probes: [...EXHAUSTS_QUOTA, ban],
    whyItMatters: 'The limit is part of the plan, and keeps one caller from exhausting the capacity of all.',
    fix: 'Count every request of the key before it is handled, and answer 429 once the limit of the plan is reached.',
    judge: limitsBeyondQuota,
  },
  {
    id: 'LIMIT-2',
    probes: [...EXHAUSTS_QUOTA, repetition, pacedWindow],
    whyItMatters: 'A client that stays within the limit must be able to use all of its plan.',
    fix: 'Configure the limit of the plan as requests per minute, and count each request once.',
    judge: acceptsWithin,
  },
  {
    id: 'LIMIT-3',
    probes: [...EXHAUSTS_QUOTA, repetition, unavailableAgain, ban],
    whyItMatters:
      'Clients back off on 429 only; any other response beyond the limit makes them fail or retry at once.',
    fix: 'Have the limiter answer 429, also where a gateway limits: nginx needs `limit_req_status 429`.',
    judge: limitsWith429,
  },
  {
    id: 'LIMIT-4',
    probes: [...EXHAUSTS_QUOTA, recovery, refill, pacedWindow],
    whyItMatters: 'A window of another length is another limit than that of the plan.',
    fix: 'Set the length of the window to 60 seconds.',
    judge: lastsAMinute,
  },
  {
    id: 'LIMIT-5',
    probes: [preflight, firstCreation, otherOperations, exhaustQuota],
    whyItMatters: 'With a limit per operation, a caller gets several times its plan.',
    fix: 'Use the key alone as the key of the counter, without route or method.',
    judge: (evidence) => oneCounter(evidence, ['operation'], operationsSeen),
  },
  {
    id: 'LIMIT-6',
    probes: [preflight, firstBatch, secondBatch, exhaustQuota, fullBurst],
    whyItMatters:
      'Real clients send requests in parallel; a limit that holds only for one request at a time does not hold.',
    fix: 'Count in one atomic step (in Redis `INCR` or a script), in a store that all workers and instances share.',
    judge: holdsUnderConcurrency,
  },
  {
    id: 'LIMIT-7',
    probes: [preflight, exhaustQuota, otherCaller, otherCallerAgain],
    whyItMatters: 'One busy caller must not affect another.',
    fix: 'Use the caller of the key as the key of the counter, not the address or the whole service.',
    judge: isolatesCallers,
  },
  {
    id: 'LIMIT-8',
    probes: [preflight, firstBatch, identities, exhaustQuota],
    whyItMatters: 'A limit that follows what a client can change at will limits no client.',
    fix: 'Count by the key: not by the connection, the address, `X-Forwarded-For`, `User-Agent` or `Accept-Language`.',
    judge: followsTheKey,
  },
  {
    id: 'LIMIT-9',
    probes: [exhaustedDay, spendDay],
    whyItMatters: 'The daily limit is the second half of every plan.',
    fix: 'Count the requests of a day, too, and answer 429 until the day ends.',
    judge: enforcesTheDay,
  },
];

/** What the specification leaves open about the limit. */
export const openLimits: readonly Observable[] = [
  { id: 'LIMIT-10', probes: [...EXHAUSTS_QUOTA, recovery], observe: inferAlgorithm },
];
