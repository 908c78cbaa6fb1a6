import { quoted } from '../../../../kernel/basics/text.ts';
import { isAged } from '../../../../kernel/exchanges/cache-headers.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import { headersOf, headerValue, headerValues, statusOf } from '../../../../kernel/exchanges/headers.ts';
import { RATE_HEADERS } from '../../../../kernel/exchanges/judged-headers.ts';
import { draftRateLimitFields, nearRateLimitFields } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { doubt, furtherReasoned, judgeEach, violation } from '../../../../kernel/findings/judgement.ts';
import { documented, namedSuccesses, rateLimitedOperations } from '../../evidence/answers.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Requirement } from '../../evidence/requirement.ts';

/** Judges that responses with these statuses carry the three headers, each once. */
export function carries(
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

/** The most names that a finding lists. */
const MOST_NAMED = 6;

function headerProblem(exchange: Exchange): Problem | undefined {
  const headers = headersOf(exchange);
  const where = `in ${exchangeName(exchange)}`;
  let repeated: Problem | undefined;
  for (const header of RATE_HEADERS) {
    const values = headerValues(headers, header);
    if (values.length === 0) {
      const near = nearRateLimitFields(headers).slice(0, MOST_NAMED).map(quoted);
      const found = near.length === 0 ? 'none' : `other names (${near.join(', ')})`;
      const fact = { expected: `${header} on a ${statusOf(exchange)}`, received: `${found} ${where}` };
      if (statusOf(exchange) === 304) return doubt({ ...fact, reasoning: NOT_MODIFIED });
      return violation(furtherReasoned(fact, draftText(exchange), gatewayText(exchange)));
    }
    if (values.length === 1) continue;
    const fact = {
      expected: `one ${header}`,
      received: `${values.length} lines (${quoted(values.join(', '))}) ${where}`,
    };
    if (new Set(values).size > 1) return violation(fact);
    repeated = doubt(fact);
  }
  return repeated;
}

/** A 304 stands for the 200 that the client has already. */
const NOT_MODIFIED =
  'A 304 answers a request that "would have resulted in a 200 (OK) response" (RFC 9110 §15.4.5), and every API response carries the headers. The specification does not show this status.';

/** The fields of the Internet-Draft mean something else, and many limiters send them by default. */
function draftText(exchange: Exchange): string | undefined {
  const found = draftRateLimitFields(headersOf(exchange));
  return found.length === 0
    ? undefined
    : `It carries ${found.join(', ')} of the Internet-Draft instead, which the specification does not name.`;
}

/** A gateway that limits requests by itself often answers with a page of HTML. */
function gatewayText(exchange: Exchange): string | undefined {
  const type = headerValue(headersOf(exchange), 'Content-Type') ?? '';
  return /^text\/html\b/i.test(type)
    ? 'The body is a page of HTML, so a gateway in front of the service may have answered.'
    : undefined;
}

const ALL_STATUSES = [200, 201, 304, 400, 401, 429] as const;

/** Every response of the run that must carry the rate-limit headers. */
export const responsesWithHeaders = (evidence: Evidence): readonly Exchange[] =>
  withHeadersRequired(evidence, ...ALL_STATUSES);

/** The one value of a header; absence and contradiction are judged by RATE-1 to RATE-4. */
export function singleValue(exchange: Exchange, header: (typeof RATE_HEADERS)[number]): string | undefined {
  return headerValue(headersOf(exchange), header);
}
