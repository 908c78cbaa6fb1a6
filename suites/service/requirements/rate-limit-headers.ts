import { quoted } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValue, headerValues, isAged, statusOf } from '../../../kernel/exchanges/headers.ts';
import { RATE_HEADERS } from '../../../kernel/exchanges/judged-headers.ts';
import { exchangeName } from '../../../kernel/exchanges/outcome-kinds.ts';
import { nearRateLimitFields, rateHeadersOf } from '../../../kernel/exchanges/rate-headers.ts';
import type { Problem } from '../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, judgeEach, warn } from '../../../kernel/findings/judgement.ts';
import type { Reading } from '../../../kernel/rate-limits/series.ts';
import { readingOf } from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import {
  documented,
  namedSuccesses,
  rateLimitedOperations,
  valueText,
  withoutHeader,
} from '../evidence/answers.ts';
import type { Evidence, Requirement } from '../evidence/evidence.ts';
import { EVERY_PROBE, UNAUTHENTICATED } from '../probes/index.ts';
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

/** Judges that responses with these statuses carry the three headers, each once. */
function carries(
  id: 'RATE-1' | 'RATE-2' | 'RATE-3' | 'RATE-4',
  probes: Requirement['probes'],
  ...statuses: readonly number[]
): Requirement {
  return {
    id,
    probes,
    whyItMatters:
      'A client without these headers cannot pace its requests; "Every API response carries" them.',
    fix: 'Set the three headers in one place that every response passes: errors, 429 responses, and the 304 of a middleware for conditional requests.',
    judge: (evidence) =>
      judgeEach(withHeadersRequired(evidence, ...statuses), headerProblem, {
        good: `Every ${seenOf(evidence, statuses).join(' and ')} response has the three headers, each once`,
        none: evidence.whyNothing(...probes),
      }),
  };
}

/** Those of these statuses that the run received. */
const seenOf = (evidence: Evidence, statuses: readonly number[]): readonly number[] =>
  statuses.filter((status) => evidence.answered(status).length > 0);

/** The responses that must carry the rate-limit headers; a cached response shows those of an older one. */
function withHeadersRequired(evidence: Evidence, ...statuses: readonly number[]): readonly Exchange[] {
  const rateLimited = statuses.includes(429) ? rateLimitedOperations(evidence) : [];
  const others = documented(evidence, ...statuses.filter((status) => status !== 429));
  const named = statuses.includes(200) ? namedSuccesses(evidence) : [];
  return [...others, ...named, ...rateLimited].filter(
    (exchange) => !isAged(exchange) && exchange.shownAgain === undefined,
  );
}

function headerProblem(exchange: Exchange): Problem | undefined {
  const headers = headersOf(exchange);
  let repeated: Problem | undefined;
  for (const header of RATE_HEADERS) {
    const values = headerValues(headers, header);
    if (values.length === 0) {
      const near = nearRateLimitFields(headers).map(quoted);
      const found = near.length === 0 ? 'none' : `other names (${near.join(', ')})`;
      const fact = {
        expected: `${header} on a ${statusOf(exchange)}`,
        received: `${found} in ${exchangeName(exchange)}`,
      };
      if (statusOf(exchange) === 304) return warn({ ...fact, reasoning: NOT_MODIFIED });
      return fail(furtherReasoned(fact, gatewayText(exchange)));
    }
    if (values.length === 1) continue;
    const fact = {
      expected: `one ${header}`,
      received: `${values.length} of them (${quoted(values.join(', '))}) in ${exchangeName(exchange)}`,
    };
    if (new Set(values).size > 1) return fail(fact);
    repeated = warn(fact);
  }
  return repeated;
}

/** A 304 stands for the 200 that the client has already. */
const NOT_MODIFIED =
  'A 304 answers a request that "would have resulted in a 200 (OK) response" (RFC 9110 §15.4.5), and every API response carries the headers. The specification does not show this status.';

/** A gateway that limits requests by itself often answers with a page of HTML. */
function gatewayText(exchange: Exchange): string | undefined {
  const type = headerValue(headersOf(exchange), 'Content-Type') ?? '';
  return /^text\/html\b/i.test(type)
    ? 'The body is a page of HTML, so a gateway in front of the service may have answered.'
    : undefined;
}

const ALL_STATUSES = [200, 201, 304, 400, 401, 429] as const;

const responsesWithHeaders = (evidence: Evidence): readonly Exchange[] =>
  withHeadersRequired(evidence, ...ALL_STATUSES);

const WHOLE_NUMBER = /^[0-9]+$/;

/** What is wrong with the Limit of a response (RATE-5). */
function limitProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const text = headerValue(headersOf(exchange), 'X-RateLimit-Limit');
  if (text === undefined) return withoutHeader(exchange, 'X-RateLimit-Limit');
  if (!WHOLE_NUMBER.test(text))
    return fail({ expected: 'a whole number as Limit', received: valueText(text, exchange) });
  const { name, limits } = planOf(evidence, exchange);
  if (limits === undefined || statusOf(exchange) === 401) return undefined;
  if (Number(text) === limits.perDay) return notOfDay(evidence, exchange);
  if (Number(text) === limits.perMinute) return undefined;
  return fail({
    expected: `the Limit of the plan "${name}", ${limits.perMinute} per minute or ${limits.perDay} per day`,
    received: valueText(text, exchange),
  });
}

/** Remaining rises by more than flows back into a day. A log of the day gives that back after another client, so it is a doubt. */
function notOfDay(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const found = evidence.fact(riseWithinDay);
  if (found === undefined || found.after !== exchange) return undefined;
  const { before, rise } = found;
  return warn({
    expected: 'the limit of the window that Remaining describes as Limit',
    received: `the limit of the day in ${exchangeName(exchange)}, with a Remaining that is ${rise} above that of ${exchangeName(before)}`,
    reasoning: 'Remaining follows the minute. In a new day it would be higher than a minute has.',
  });
}

/** Within a second or two, one request of the day flows back, and its count is rounded. */
const ROUNDING = 2;

/** Two responses to the key, and by how much Remaining rose between them. */
function riseWithinDay(evidence: Evidence) {
  const { perMinute, perDay, daySeconds } = evidence.limits;
  let lowest: Reading | undefined;
  for (const after of evidence.by('key')) {
    const reading = readingOf(after);
    if (reading?.limit !== perDay || perDay <= 2 * perMinute) continue;
    if (lowest === undefined || reading.remaining < lowest.remaining) {
      lowest = reading;
      continue;
    }
    const before = lowest.exchange;
    const rise = reading.remaining - lowest.remaining;
    const seconds = (after.received.mono - before.sent.mono) / 1000;
    const inOrder = before.received.mono < after.sent.mono;
    if (inOrder && reading.remaining <= perMinute && rise > (seconds * perDay) / daySeconds + ROUNDING)
      return { before, after, rise };
  }
  return undefined;
}

/** The plan that this caller is known to have, with its numbers where they are known. */
function planOf({ run }: Evidence, { caller }: Exchange): { name: string; limits: Limits | undefined } {
  if (caller === 'key') return { name: run.target.plan, limits: run.limits };
  const [, name = ''] = /^plan:(.*)$/.exec(caller) ?? [];
  return { name, limits: run.furtherPlans[name] };
}

/** What is wrong with the Remaining of a response (RATE-6). */
function remainingProblem(exchange: Exchange): Problem | undefined {
  const text = headerValue(headersOf(exchange), 'X-RateLimit-Remaining');
  if (text === undefined) return withoutHeader(exchange, 'X-RateLimit-Remaining');
  if (!WHOLE_NUMBER.test(text))
    return fail({ expected: 'a whole number from 0 as Remaining', received: valueText(text, exchange) });
  const { limit } = rateHeadersOf(exchange);
  if (limit === undefined || Number(text) <= limit) return undefined;
  return fail({ expected: `Remaining up to the Limit ${limit}`, received: valueText(text, exchange) });
}
