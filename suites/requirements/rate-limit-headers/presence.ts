import { documented, fromCache } from '../../evidence/answers.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Problem } from '../../evidence/judgement.ts';
import { doubt, judgeEach, violation } from '../../evidence/judgement.ts';
import { name, quote } from '../../evidence/quote.ts';
import type { Requirement } from '../../evidence/requirement.ts';
import type { Exchange } from '../../model/exchange.ts';
import { answerOf, headerValue, headerValues, statusOf } from '../../model/headers.ts';
import { shown } from '../../model/operation.ts';

const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** Judges that answers with these statuses carry the three headers, each once. */
export function carries(
  id: 'RATE-1' | 'RATE-2' | 'RATE-3' | 'RATE-4',
  asks: Requirement['asks'],
  ...statuses: readonly number[]
): Requirement {
  const what = statuses.join(' and ');
  return {
    id,
    asks,
    matters: '"Every API response carries" them: a client that paces itself is blind without them.',
    judge: (evidence) =>
      judgeEach(counted(evidence, ...statuses), headerProblem, {
        good: `Every ${what} carries the three headers once`,
        none: evidence.whyNothing(...asks),
      }),
  };
}

/** The answers whose rate-limit headers are required; a cache's answer shows the headers of an older one. */
function counted(evidence: Evidence, ...statuses: readonly number[]): readonly Exchange[] {
  const refusals = statuses.includes(429) ? evidence.answered(429).filter(shown) : [];
  const others = documented(evidence, ...statuses.filter((status) => status !== 429));
  return [...others, ...refusals].filter((exchange) => !fromCache(exchange));
}

function headerProblem(exchange: Exchange): Problem | undefined {
  const headers = answerOf(exchange)?.headers ?? [];
  let repeated: Problem | undefined;
  for (const header of NAMES) {
    const values = headerValues(headers, header);
    if (values.length === 0)
      return violation(
        `Expected ${header}, but ${name(exchange)} (${statusOf(exchange)}) has none.${byGateway(exchange)}`,
      );
    if (values.length === 1) continue;
    const text = `Expected ${header} once, but ${name(exchange)} has it ${values.length} times: ${quote(values.join(', '))}.`;
    if (new Set(values).size > 1) return violation(text);
    repeated = doubt(text);
  }
  return repeated;
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
export function single(exchange: Exchange, header: (typeof NAMES)[number]): string | undefined {
  return headerValue(answerOf(exchange)?.headers ?? [], header);
}
