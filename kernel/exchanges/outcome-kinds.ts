import { LONGEST_QUOTE, quoted } from '../basics/text.ts';
import { completeText } from './body.ts';
import type { Exchange } from './exchange.ts';
import { answerOf, headerValue, statusOf } from './headers.ts';

/** Whether the target accepted the request. A success whose body is an Error of the service is a rejection. */
export function accepted(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return answer !== undefined && answer.status >= 200 && answer.status < 300 && !containsError(exchange);
}

/** A limiter writes no Error that is longer, in characters or bytes. */
const LONGEST_ERROR = 4096;

/** The status line says that the request was accepted; only a body that is known completely can say otherwise. */
function containsError(exchange: Exchange): boolean {
  const text = completeText(exchange);
  if (text === undefined || text.length > LONGEST_ERROR || !/^\s*\{/.test(text)) return false;
  return /"status"\s*:\s*[45][0-9]{2}\b/.test(text);
}

/** Whether a success may be a rejection all the same: a short object that created nothing and was not recorded completely. */
export function mayContainError(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  if (answer === undefined || !answer.body.cut || answer.status === 201) return false;
  const { bytes, excerpt } = answer.body;
  // A load run records no bodies, only that there were 0 bytes of them.
  return bytes > 0 && bytes <= LONGEST_ERROR && /^\s*(\{|$)/.test(excerpt);
}

export const isRateLimited = (exchange: Exchange): boolean => statusOf(exchange) === 429;

/** Whether the target does not accept the key itself (401 or 403): it is unknown there, or banned. */
export const isKeyRejected = (exchange: Exchange): boolean =>
  statusOf(exchange) === 401 || statusOf(exchange) === 403;

/** No registered status is as high: gateways report with it a service that they cannot reach, as Cloudflare does with 520 to 530. */
const LEAST_OF_GATEWAYS = 520;

/** A 502, 503 or 504 is about the moment and not about the request (RFC 9110 §15.6.3 to §15.6.5), like a response that was lost. */
export function unavailable(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return [502, 503, 504].includes(status) || (status >= LEAST_OF_GATEWAYS && status < 600);
}

/** A request that did not arrive in time (RFC 9110 §15.5.9), or too early (RFC 8470), and an unexpected condition. */
const MAY_PASS: ReadonlySet<number | undefined> = new Set([408, 425, 500]);

/** Whether the same request may be answered otherwise when it is sent again. */
export const mayPass = (exchange: Exchange): boolean =>
  unavailable(exchange) || MAY_PASS.has(statusOf(exchange));

/** How a sentence names an exchange: `exchange 12 (GET /v1/categories)`. */
export const exchangeName = ({ n, request }: Exchange): string =>
  `exchange ${n} (${request.method} ${request.target.slice(0, LONGEST_QUOTE)})`;

/** What came in answer to an exchange, as a noun phrase: the status, with the Location of a redirect, or why none came. */
export function responseText({ outcome }: Exchange): string {
  if (outcome.kind !== 'answer')
    return outcome.cause === 'locked-out' ? outcome.detail : `no response (${quoted(outcome.detail)})`;
  const redirects = outcome.status >= 300 && outcome.status < 400;
  const location = redirects ? headerValue(outcome.headers, 'Location') : undefined;
  return `${outcome.status}${location === undefined ? '' : ` with Location ${quoted(location)}`}`;
}

/** The response and its exchange: `404 in exchange 12 (GET /v1/categories)`. */
export function receivedText(exchange: Exchange): string {
  return `${responseText(exchange)} in ${exchangeName(exchange)}`;
}

/** Where these exchanges lie, to stand behind a noun: ` in exchange 3 (…)` or ` from exchange 3 (…) to exchange 9 (…)`; empty for none. */
export function spanText(exchanges: readonly Exchange[]): string {
  const [first, ...others] = [...exchanges].sort((a, b) => a.n - b.n);
  const last = others.at(-1);
  if (first === undefined) return '';
  return last === undefined
    ? ` in ${exchangeName(first)}`
    : ` from ${exchangeName(first)} to ${exchangeName(last)}`;
}
