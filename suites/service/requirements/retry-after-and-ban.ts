import { quoted } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValues } from '../../../kernel/exchanges/headers.ts';
import { exchangeName } from '../../../kernel/exchanges/outcome-kinds.ts';
import {
  apparentWaitUnit,
  lacksGmt,
  readRetryAfter,
  secondsToReset,
} from '../../../kernel/exchanges/rate-headers.ts';
import type { Problem } from '../../../kernel/findings/judgement.ts';
import { ENDS_WITH_GMT, fail, judgeEach, warn } from '../../../kernel/findings/judgement.ts';
import { longestDaySeconds } from '../../../kernel/rate-limits/quota.ts';
import { isSpelledOtherwise } from '../evidence/answers.ts';
import type { Evidence, Requirement } from '../evidence/evidence.ts';
import { EXHAUSTS_QUOTA } from '../probes/index.ts';
import { spendsDay } from '../probes/spend-day.ts';
import { isTemporary, sparesOthers } from './retry-after-and-ban/bans.ts';
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

const hasRetryAfter = (exchange: Exchange): boolean => readRetryAfter(exchange).kind !== 'absent';

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
