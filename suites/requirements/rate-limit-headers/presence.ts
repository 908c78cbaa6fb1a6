import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { answerOf, headerValue, headerValues, statusOf } from '../../../exchanges/headers.ts';
import { isDocumentedOperation } from '../../../exchanges/operation.ts';
import { draftRateLimitFields, RATE_HEADERS } from '../../../exchanges/rate-headers.ts';
import { quoted } from '../../../words/text.ts';
import { documented, fromCache } from '../../evidence/answers.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Problem } from '../../evidence/judgement.ts';
import { doubt, judgeEach, violation } from '../../evidence/judgement.ts';
import type { Requirement } from '../../evidence/requirement.ts';

/** Judges that answers with these statuses carry the three headers, each once. */
export function carries(
  id: 'RATE-1' | 'RATE-2' | 'RATE-3' | 'RATE-4',
  probes: Requirement['probes'],
  ...statuses: readonly number[]
): Requirement {
  const what = statuses.join(' and ');
  return {
    id,
    probes,
    whyItMatters: '"Every API response carries" them: a client that paces itself is blind without them.',
    judge: (evidence) =>
      judgeEach(counted(evidence, ...statuses), headerProblem, {
        good: `Every ${what} carries the three headers once`,
        none: evidence.whyNothing(...probes),
      }),
  };
}

/** The answers whose rate-limit headers are required; a cache's answer shows the headers of an older one. */
function counted(evidence: Evidence, ...statuses: readonly number[]): readonly Exchange[] {
  const limitedExchanges = statuses.includes(429) ? evidence.answered(429).filter(isDocumentedOperation) : [];
  const others = documented(evidence, ...statuses.filter((status) => status !== 429));
  return [...others, ...limitedExchanges].filter((exchange) => !fromCache(exchange));
}

function headerProblem(exchange: Exchange): Problem | undefined {
  const headers = answerOf(exchange)?.headers ?? [];
  let repeated: Problem | undefined;
  for (const header of RATE_HEADERS) {
    const values = headerValues(headers, header);
    if (values.length === 0)
      return violation(
        `Expected ${header}, but ${exchangeName(exchange)} (${statusOf(exchange)}) has none.${insteadText(exchange)}${byGateway(exchange)}`,
      );
    if (values.length === 1) continue;
    const text = `Expected ${header} once, but ${exchangeName(exchange)} has it ${values.length} times: ${quoted(values.join(', '))}.`;
    if (new Set(values).size > 1) return violation(text);
    repeated = doubt(text);
  }
  return repeated;
}

/** The fields of the Internet-Draft mean something else, and many limiters send them by default. */
function insteadText(exchange: Exchange): string {
  const found = draftRateLimitFields(answerOf(exchange)?.headers ?? []);
  return found.length === 0
    ? ''
    : ` It carries ${found.join(', ')} of the Internet-Draft instead, which the specification does not name.`;
}

/** A page for people in place of JSON is what a gateway writes that refuses by itself. */
function byGateway(exchange: Exchange): string {
  const type = headerValue(answerOf(exchange)?.headers ?? [], 'Content-Type') ?? '';
  return /^text\/html\b/i.test(type)
    ? ' It is a page of HTML, so perhaps something in front of the service answered.'
    : '';
}

const ALL_STATUSES = [200, 201, 400, 401, 429] as const;

export const every = (evidence: Evidence): readonly Exchange[] => counted(evidence, ...ALL_STATUSES);

/** The one value of a header; absence and contradiction are RATE-1 to RATE-4's business. */
export function single(exchange: Exchange, header: (typeof RATE_HEADERS)[number]): string | undefined {
  return headerValue(answerOf(exchange)?.headers ?? [], header);
}
