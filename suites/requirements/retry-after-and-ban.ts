import type { Exchange } from '../../exchanges/exchange.ts';
import { exchangeName } from '../../exchanges/exchange-text.ts';
import { answerOf, headerValues } from '../../exchanges/headers.ts';
import { secondsToReset } from '../../exchanges/rate-headers.ts';
import { apparentWaitUnit, readRetryAfter } from '../../exchanges/retry-after.ts';
import { quoted } from '../../words/text.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Problem } from '../evidence/judgement.ts';
import { doubt, judgeEach, violation } from '../evidence/judgement.ts';
import type { Requirement } from '../evidence/requirement.ts';
import { ban } from '../probes/ban.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { preflight } from '../probes/preflight.ts';
import { recovery } from '../probes/recovery.ts';
import { repetition } from '../probes/repetition.ts';
import { isTemporary, sparesOthers } from './retry-after-and-ban/bans.ts';
import { retried } from './retry-after-and-ban/retried.ts';

const HAMMER = 'A client that is not told when to come back hammers, or gives up.';
const REACHES_429 = [preflight, exhaustQuota] as const;

/** Chapter "Retry-After and ban". */
export const retryAfterAndBan: readonly Requirement[] = [
  {
    id: 'RETRY-1',
    probes: REACHES_429,
    whyItMatters: HAMMER,
    judge: (evidence) =>
      judgeEach(
        keyed429s(evidence),
        (exchange) => {
          const answer = answerOf(exchange);
          return answer !== undefined && readRetryAfter(answer).kind === 'absent'
            ? violation(`Expected Retry-After on a 429, but ${exchangeName(exchange)} has none.`)
            : undefined;
        },
        { good: 'Every 429 carries Retry-After', none: evidence.lacking('No 429 was seen.', exhaustQuota) },
      ),
  },
  {
    id: 'RETRY-2',
    probes: REACHES_429,
    whyItMatters:
      'Clients read it as whole seconds or as an HTTP-date (RFC 9110 §10.2.3), and as nothing else.',
    judge: (evidence) =>
      judgeEach(keyed429s(evidence).filter(hasRetryAfter), formProblem, {
        good: 'Every Retry-After is whole seconds or an HTTP-date',
        none: evidence.lacking('No 429 with Retry-After was seen.', exhaustQuota),
      }),
  },
  {
    id: 'RETRY-3',
    probes: [...REACHES_429, recovery, repetition],
    whyItMatters: 'Whoever waits as told and is refused again learns not to wait.',
    judge: (evidence) => retried(evidence).kept,
  },
  {
    id: 'RETRY-4',
    probes: [...REACHES_429, recovery, repetition],
    whyItMatters: 'A wait that is rounded down costs every client a second refusal, and perhaps a ban.',
    judge: (evidence) => retried(evidence).exact,
  },
  {
    id: 'BAN-1',
    probes: [ban],
    whyItMatters:
      'The specification allows a temporary ban only: a key that is lost for good is a customer lost.',
    judge: isTemporary,
  },
  {
    id: 'BAN-2',
    probes: [ban],
    whyItMatters: 'One caller’s persistence must not shut out another.',
    judge: sparesOthers,
  },
];

const keyed429s = (evidence: Evidence): readonly Exchange[] =>
  evidence.answered(429).filter((exchange) => exchange.caller !== 'unauthenticated');

const hasRetryAfter = (exchange: Exchange): boolean => {
  const answer = answerOf(exchange);
  return answer !== undefined && readRetryAfter(answer).kind !== 'absent';
};

function formProblem(exchange: Exchange): Problem | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined) return undefined;
  const after = readRetryAfter(answer);
  if (after.kind === 'malformed') {
    return violation(
      `Expected whole seconds or an HTTP-date, but Retry-After of ${exchangeName(exchange)} is ${quoted(after.text)}.`,
    );
  }
  // A spent day may be announced in seconds that happen to look like the milliseconds of a minute.
  const unit = exchange.caller === 'exhausted' ? undefined : apparentWaitUnit(answer);
  if (after.kind === 'seconds' && unit !== undefined) {
    return doubt(
      `Expected seconds (RFC 9110 §10.2.3), but Retry-After of ${exchangeName(exchange)} is ${quoted(after.text)} where its own Reset lies ${secondsToReset(answer)} s ahead: it looks like ${unit.name}. It is well formed and the specification does not show the unit, but every HTTP client waits that many seconds.`,
    );
  }
  const times = headerValues(answer.headers, 'Retry-After');
  if (times.length > 1) {
    return doubt(
      `Expected Retry-After once, but ${exchangeName(exchange)} has it ${times.length} times: ${quoted(times.join(', '))}.`,
    );
  }
  if (after.kind === 'date' && after.obsolete) {
    return doubt(
      `Expected the current form of an HTTP-date, but Retry-After of ${exchangeName(exchange)} is in an obsolete one: ${quoted(after.text)}.`,
    );
  }
  return undefined;
}
