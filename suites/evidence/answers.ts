import { bodyTextForPeople, contentCodingOf } from '../../exchanges/body.ts';
import type { Answer, Exchange } from '../../exchanges/exchange.ts';
import { exchangeName, outcomeText } from '../../exchanges/exchange-text.ts';
import { answerOf, headerValue, statusOf } from '../../exchanges/headers.ts';
import { isDocumentedOperation } from '../../exchanges/operation.ts';
import { unavailable } from '../../exchanges/outcome-kinds.ts';
import { quoted } from '../../words/text.ts';
import type { Evidence } from './evidence.ts';
import { jsonOf } from './json.ts';
import type { Problem } from './judgement.ts';
import { unclear, violation } from './judgement.ts';
import type { Json } from './schemas.ts';
import { isJson } from './schemas.ts';

/** The documented answers whose shape is shown: 200, 201 and 400 of the two operations, 401 of every operation. */
export function documented(evidence: Evidence, ...statuses: readonly number[]): readonly Exchange[] {
  return evidence.answered(...statuses).filter((exchange) => {
    if (statusOf(exchange) === 401) return true;
    // A 400 to anything but a creation may come from a parser in front of the service.
    return (
      isDocumentedOperation(exchange) && (statusOf(exchange) !== 400 || exchange.request.method === 'POST')
    );
  });
}

/** Expects a status. A 429 says that the limit was reached, a 503 that nobody is there just now; neither says anything about this question. */
export function expectStatus(exchange: Exchange, wanted: number, request: string): Problem | undefined {
  const status = statusOf(exchange);
  if (status === wanted) return undefined;
  const seen = `Expected ${wanted} for ${request}, but ${exchangeName(exchange)} ${outcomeText(exchange)}`;
  if (status === undefined) return unclear(`${seen}; a connection that failed is no answer.`);
  if (status === 429) return unclear(`${seen}, which is about the rate and not about this question.`);
  if (unavailable(exchange))
    return unclear(`${seen}, which is about the moment and not about this question (HTTP-4).`);
  return violation(`${seen}.`);
}

/** The JSON of an answer, or the problem that it has none. */
export function expectJson(exchange: Exchange, what: string): Json | Problem {
  const answer = answerOf(exchange);
  if (answer === undefined) return unclear(`${exchangeName(exchange)} got no answer.`);
  if (answer.broken !== undefined) {
    return unclear(`The body of ${exchangeName(exchange)} did not arrive whole (${quoted(answer.broken)}).`);
  }
  const coding = contentCodingOf(answer);
  if (coding !== undefined)
    return unclear(
      `The body of ${exchangeName(exchange)} is coded (${quoted(coding)}) and was not unpacked.`,
    );
  const body = jsonOf(answer.body);
  if (isJson(body)) return { value: body.value, plain: body.plain };
  const text = `Expected ${what} as JSON, but the body of ${exchangeName(exchange)} is ${bodyText(answer)}: ${body.because}`;
  return body.kind === 'unjudged' ? unclear(`${text}.`) : violation(`${text}.`);
}

/** Tells JSON from the problem that there is none. */
export function isProblem(value: Json | Problem): value is Problem {
  return 'kind' in value;
}

const bodyText = (answer: Answer): string =>
  answer.body.bytes === 0 ? 'empty' : quoted(bodyTextForPeople(answer.body));

/** Whether a cache gave this answer: its headers are as old as the stored answer. */
export function fromCache(exchange: Exchange): boolean {
  const age = headerValue(answerOf(exchange)?.headers ?? [], 'Age');
  return age !== undefined && Number(age) > 0;
}
