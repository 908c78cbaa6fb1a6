import { quoted } from '../../../kernel/basics/text.ts';
import { bodyTextForPeople, codingProblem } from '../../../kernel/exchanges/body.ts';
import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import type { Answer, Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { exchangeName, receivedText, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import { factText } from '../../../kernel/findings/finding-text.ts';
import type { Problem } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, unproven } from '../../../kernel/findings/judgement.ts';
import { CREATIONS_CLOSE_TO_THE_KEY, CREATIONS_WITH_A_MISPLACED_KEY } from '../probes/other-spellings.ts';
import { NAMED_OPERATIONS } from '../probes/unauthenticated.ts';
import type { Evidence } from './evidence.ts';
import type { Json } from './json.ts';
import { jsonOf } from './json.ts';
import { isLockedOut, isMissing } from './locked-out.ts';

const AS_SPECIFIED: ReadonlySet<string> = new Set([
  ...CREATIONS_CLOSE_TO_THE_KEY,
  ...CREATIONS_WITH_A_MISPLACED_KEY,
]);

/** Whether a request has another path, method or token than is specified: anything may answer it before the service. */
export const isSpelledOtherwise = ({ probe, step }: Exchange): boolean =>
  probe === 'other-spellings' && !AS_SPECIFIED.has(step);

/** The responses whose shape the specification shows: 200, 201 and 400 of the two operations, 401 of every operation. */
export function documented(evidence: Evidence, ...statuses: readonly number[]): readonly Exchange[] {
  return evidence.fact(allDocumented).filter((exchange) => statuses.includes(statusOf(exchange) ?? 0));
}

const allDocumented = ({ exchanges }: Evidence): readonly Exchange[] =>
  exchanges.filter((exchange) => {
    const status = statusOf(exchange);
    if (status === undefined || isSpelledOtherwise(exchange)) return false;
    if (status === 401) return true;
    // A 400 to anything but a creation may come from a parser in front of the service.
    return isDocumentedOperation(exchange) && (status !== 400 || exchange.request.method === 'POST');
  });

/** The path of an operation that the specification only names; undefined of any other request. */
export const namedPathOf = ({ request }: Exchange): string | undefined =>
  NAMED_OPERATIONS.find((path) => request.target.endsWith(path));

/** The answers to a named operation with the key under test. */
export const namedWithKey = (evidence: Evidence, path: string): readonly Exchange[] =>
  evidence.fact(keyedByPath).get(path) ?? [];

const keyedByPath = (evidence: Evidence) => groupedBy(evidence.by('key'), namedPathOf);

/** Those closed without the key: no router and no page in front answered them, so "every API response" means them, too. */
export const namedSuccesses = (evidence: Evidence): readonly Exchange[] =>
  evidence.fact(closedPaths).flatMap((path) => namedWithKey(evidence, path).filter(isSuccess));

/** 429 is "all operations", and on some targets a named one exhausts the quota: those that succeed with the key alone count. */
export function rateLimitedOperations(evidence: Evidence): readonly Exchange[] {
  const served = new Set(evidence.fact(namedSuccesses).map(namedPathOf));
  return evidence.answered(429).filter((exchange) => {
    if (isSpelledOtherwise(exchange)) return false;
    if (isDocumentedOperation(exchange)) return true;
    return exchange.caller !== 'unauthenticated' && served.has(namedPathOf(exchange));
  });
}

/** The paths of named operations at which a request without a valid key returned 401. */
const closedPaths = (evidence: Evidence): readonly string[] => [
  ...new Set(
    evidence
      .answered(401)
      .flatMap((exchange) => (exchange.caller === 'unauthenticated' ? (namedPathOf(exchange) ?? []) : [])),
  ),
];

export function isSuccess(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status !== undefined && status >= 200 && status < 300;
}

/** Neither a 429, a 503 nor a lost response proves anything. @param request what was sent, as a noun phrase. */
export function expectStatus(exchange: Exchange, wanted: number, request: string): Problem | undefined {
  const status = statusOf(exchange);
  if (status === wanted) return undefined;
  const fact = { expected: `${wanted} for ${request}`, received: receivedText(exchange) };
  if (status === undefined) return unproven(fact, whyNoStatus(exchange));
  if (status === 429) return unproven(fact, 'The 429 is about the rate, not about this request.');
  if (unavailable(exchange))
    return unproven(
      fact,
      'The service was unavailable at that moment (HTTP-4), which says nothing about this request.',
    );
  return fail(fact);
}

function whyNoStatus(exchange: Exchange): string {
  if (isMissing(exchange)) return 'The journal lacks this exchange.';
  return isLockedOut(exchange)
    ? 'The run was locked out, so this is no answer to the request.'
    : 'A failed connection is not a response.';
}

/** The JSON of a response, or the problem that it has none. `what`: the expected value, as a noun phrase. */
export function expectJson(exchange: Exchange, what: string): Json | Problem {
  const answer = answerOf(exchange);
  const name = exchangeName(exchange);
  if (answer === undefined) return inconclusive(`No response arrived in ${name}.`);
  const coding = codingProblem(answer);
  const coded = coding?.kind === 'coded' && !coding.decoded ? 'its content coding was not undone' : undefined;
  const unread = answer.broken ?? answer.unreadable ?? coded;
  if (unread !== undefined) return inconclusive(`The body of ${name} cannot be read (${quoted(unread)}).`);
  const body = jsonOf(answer.body);
  if (body.kind === 'json') return body;
  const fact = { expected: `${what} as JSON`, received: `${bodyText(answer)} in ${name} (${body.because})` };
  return body.kind === 'unjudged' ? inconclusive(factText(fact)) : fail(fact);
}

export function isProblem(value: Json | Problem): value is Problem {
  return 'verdict' in value;
}

const bodyText = (answer: Answer): string =>
  answer.body.bytes === 0 ? 'an empty body' : `the body ${quoted(bodyTextForPeople(answer.body))}`;

/** The value of a header and where it stood, for a sentence. */
export const valueText = (text: string, exchange: Exchange): string =>
  `${quoted(text)} in ${exchangeName(exchange)}`;

/** A response whose header is absent or repeated shows nothing about its value. */
export const withoutHeader = (exchange: Exchange, header: string): Problem =>
  inconclusive(`${exchangeName(exchange)} does not have exactly one ${header}.`);
