import { countOf, quoted } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValues, statusOf } from '../../../kernel/exchanges/headers.ts';
import {
  accepted,
  exchangeName,
  isKeyRejected,
  isRateLimited,
  receivedText,
} from '../../../kernel/exchanges/outcome-kinds.ts';
import {
  apparentWaitUnit,
  hasRetryAfter,
  lacksGmt,
  literalWaitSeconds,
  readRetryAfter,
  secondsToReset,
} from '../../../kernel/exchanges/rate-headers.ts';
import { factText } from '../../../kernel/findings/finding-text.ts';
import type { Judgement, Problem } from '../../../kernel/findings/judgement.ts';
import {
  ENDS_WITH_GMT,
  fail,
  inconclusive,
  judgeEach,
  notTested,
  pass,
  unproven,
  warn,
} from '../../../kernel/findings/judgement.ts';
import { longestDaySeconds } from '../../../kernel/rate-limits/quota.ts';
import { isSpelledOtherwise } from '../evidence/answers.ts';
import type { Evidence, Observable, Requirement } from '../evidence/evidence.ts';
import { perhapsAnotherClient } from '../evidence/uses.ts';
import { ban, PERSISTENT_REQUESTS } from '../probes/ban.ts';
import { EXHAUSTS_QUOTA } from '../probes/index.ts';
import { spendsDay } from '../probes/spend-day.ts';
import { retried } from './retry-after-and-ban/retried.ts';

export const retryAfterAndBan: readonly Requirement[] = [
  {
    id: 'RETRY-1',
    probes: EXHAUSTS_QUOTA,
    whyItMatters:
      'Without Retry-After a client does not know when to retry, and retries at once or gives up.',
    fix: 'Set Retry-After in the code that sends the 429, often a limiter or a gateway in front of the service.',
    judge: (evidence) =>
      judgeEach(
        rateLimited(evidence),
        (exchange) =>
          hasRetryAfter(exchange)
            ? undefined
            : fail({ expected: 'Retry-After on a 429', received: `none in ${exchangeName(exchange)}` }),
        {
          good: 'Every 429 carries Retry-After',
          none: evidence.lacking('No 429 response was received.', 'exhaust-quota'),
        },
      ),
  },
  {
    id: 'RETRY-2',
    probes: EXHAUSTS_QUOTA,
    whyItMatters:
      'Clients read it as whole seconds or as an HTTP-date (RFC 9110 §10.2.3), and as nothing else.',
    fix: 'Write Retry-After as a whole number of seconds.',
    judge: (evidence) =>
      judgeEach(rateLimited(evidence).filter(hasRetryAfter), (exchange) => formProblem(exchange, evidence), {
        good: 'Every Retry-After is whole seconds or an HTTP-date',
        none: evidence.lacking('No 429 response with Retry-After was received.', 'exhaust-quota'),
      }),
  },
  {
    id: 'RETRY-3',
    probes: [...EXHAUSTS_QUOTA, 'recovery', 'repetition'],
    whyItMatters: 'Clients that wait as announced and still receive a 429 learn to ignore Retry-After.',
    fix: 'Compute Retry-After from the state of the counter: the seconds until the next request is accepted, rounded up.',
    judge: (evidence) => retried(evidence).obeyed,
  },
  {
    id: 'RETRY-4',
    probes: [...EXHAUSTS_QUOTA, 'recovery', 'repetition'],
    whyItMatters: 'A wait that is rounded down costs every client a second 429, and perhaps a ban.',
    fix: 'Round Retry-After up to whole seconds.',
    judge: (evidence) => retried(evidence).exact,
  },
  {
    id: 'BAN-1',
    probes: ['ban'],
    whyItMatters:
      'The specification allows only temporary bans: a permanent ban takes the service away from a customer.',
    fix: 'Let every ban expire, and announce its end in Retry-After.',
    judge: isTemporary,
  },
  {
    id: 'BAN-2',
    probes: ['ban'],
    whyItMatters: 'One caller that keeps sending must not affect another.',
    fix: 'Ban the key alone, not its address or its plan.',
    judge: sparesOthers,
  },
];

/** Every 429 to an operation of the specification, with a key or without: "429 … applies to all operations". */
const rateLimited = (evidence: Evidence): readonly Exchange[] =>
  evidence.answered(429).filter((exchange) => !isSpelledOtherwise(exchange));

function formProblem(exchange: Exchange, { limits }: Evidence): Problem | undefined {
  const after = readRetryAfter(exchange);
  const where = `in ${exchangeName(exchange)}`;
  if (after.kind === 'malformed') {
    return fail({
      expected: 'Retry-After in whole seconds or as an HTTP-date',
      received: `${quoted(after.text)} ${where}`,
      ...(lacksGmt(after.text) ? { reasoning: ENDS_WITH_GMT } : {}),
    });
  }
  // The wait of an exhausted day may happen to look like the milliseconds of a minute.
  const aboutTheDay = exchange.caller === 'exhausted' || spendsDay(exchange);
  const isSeconds = aboutTheDay && after.kind === 'seconds' && after.seconds <= longestDaySeconds(limits);
  const unit = isSeconds ? undefined : apparentWaitUnit(exchange);
  if (after.kind === 'seconds' && unit !== undefined) {
    return warn({
      expected: 'Retry-After in seconds (RFC 9110 §10.2.3)',
      received: `${quoted(after.text)} with a Reset ${secondsToReset(exchange)} s ahead ${where}`,
      reasoning: `The value looks like ${unit.name}. It is well formed and the specification does not show the unit, but every HTTP client waits that many seconds.`,
    });
  }
  const values = headerValues(headersOf(exchange), 'Retry-After');
  if (values.length > 1) {
    return warn({
      expected: 'one Retry-After',
      received: `${values.length} of them (${quoted(values.join(', '))}) ${where}`,
    });
  }
  if (after.kind === 'date' && after.obsolete) {
    return warn({
      expected: 'the current form of an HTTP-date in Retry-After',
      received: `the obsolete form ${quoted(after.text)} ${where}`,
    });
  }
  return undefined;
}

const NEEDS_DISPOSABLE_KEY = 'This needs a disposable key, which may get banned (--disposable-key-env).';

/** The first request that shows a ban, among those that went on after the 429. */
function banned(evidence: Evidence): Exchange | undefined {
  const before = evidence.step('ban', ban.steps.exhaustQuota);
  return evidence.step('ban', ban.steps.persist).find((exchange, i, all) => {
    const status = statusOf(exchange);
    // The network may lose responses; a ban drops every further request.
    const later = all.slice(i);
    if (status === undefined) return later.length > 1 && later.every((one) => statusOf(one) === undefined);
    if (isKeyRejected(exchange)) return true;
    return (
      status === 429 &&
      (literalWaitSeconds(exchange) ?? 0) > usualWait([...before, ...all.slice(0, i + 1)]) + 2
    );
  });
}

/** The wait of the first 429 since the last accepted request: each accepted request begins another wait. */
function usualWait(sent: readonly Exchange[]): number {
  const limited = sent.slice(sent.findLastIndex(accepted) + 1).find(isRateLimited);
  return (limited === undefined ? undefined : literalWaitSeconds(limited)) ?? 0;
}

function isTemporary(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.disposableKey) return notTested(NEEDS_DISPOSABLE_KEY);
  if (evidence.step('ban', ban.steps.persist).length === 0) return inconclusive(evidence.whyNothing('ban'));
  const first = banned(evidence);
  const tries = evidence.step('ban', ban.steps.afterWait);
  const lifted = tries.find(accepted);
  if (lifted !== undefined) {
    const what =
      first === undefined
        ? `${PERSISTENT_REQUESTS} requests beyond the limit caused no ban`
        : 'The ban ended';
    return pass(`${what}, and ${exchangeName(lifted)} was accepted.`, [lifted]);
  }
  const last = tries.at(-1);
  if (last === undefined) return inconclusive(evidence.whyNothing('ban'));
  const announced =
    tries.length > 1 &&
    tries.every(
      (exchange) => literalWaitSeconds(exchange) !== undefined && apparentWaitUnit(exchange) === undefined,
    );
  const fact = {
    expected: 'a temporary ban, so that the key is accepted after the announced wait',
    received: receivedText(last),
    exchanges: tries,
  };
  if (!evidence.by('disposable').some(accepted))
    return unproven(
      fact,
      'This run had no request with the key accepted, so the reason may lie before it, or in another client of the key.',
    );
  return announced
    ? fail({
        ...fact,
        reasoning: 'The key had waited as announced twice.',
        exchanges: [...(first === undefined ? [] : [first]), ...tries],
      })
    : unproven(fact, 'The responses do not announce how long the ban lasts, so it may still end.');
}

function sparesOthers(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.disposableKey) return notTested(NEEDS_DISPOSABLE_KEY);
  const neighbour = evidence.exchanges.findLast(({ step }) => step === ban.steps.keyUnderTest);
  if (neighbour === undefined) return inconclusive(evidence.whyNothing('ban'));
  if (accepted(neighbour))
    return pass('The key under test was answered while another key kept sending after its 429.', [neighbour]);
  const first = banned(evidence);
  const fact = {
    expected: 'a response to the key under test while another key is banned',
    received: receivedText(neighbour),
    exchanges: [neighbour],
  };
  if (first === undefined) return unproven(fact, 'No ban was observed, so it may have another reason.');
  const exchanges = [first, neighbour];
  if (statusOf(neighbour) === undefined) return unproven(fact, 'The network may be the reason.');
  // No reading of Remaining excludes another client here: whoever was banned before sends on unseen.
  if (!evidence.exclusive || lostBefore(evidence, neighbour)) {
    const doubt =
      'Another client may be using this key, and may have exhausted its quota or caused a ban of it.';
    return perhapsAnotherClient(`${factText(fact)} ${doubt}`, exchanges);
  }
  return fail({ ...fact, reasoning: 'The ban of one key affects another.', exchanges });
}

/** Whether the key under test was already banned before another key kept sending. */
const lostBefore = (evidence: Evidence, neighbour: Exchange): boolean =>
  [...evidence.lost].some(({ probe, n }) => probe !== 'ban' && n < neighbour.n);

export const openBans: Observable = {
  id: 'BAN-3',
  probes: ['ban'],
  observe(evidence) {
    if (!evidence.run.inputs.disposableKey) return { value: `Not tested. ${NEEDS_DISPOSABLE_KEY}` };
    const persistent = evidence.step('ban', ban.steps.persist);
    const first = banned(evidence);
    if (first === undefined)
      return {
        value: `No ban in ${countOf(persistent.length, 'request')} beyond the limit.`,
        exchanges: persistent.slice(0, 2),
      };
    const after = persistent.indexOf(first) + 1;
    return {
      value: `A ban after ${after} further requests: ${receivedText(first)}, Retry-After ${literalWaitSeconds(first) ?? 'absent'}.`,
      exchanges: [first],
    };
  },
};
