import { completeText } from '../../../kernel/exchanges/body.ts';
import type { Answer, Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import {
  answerOf,
  headersOf,
  headerValue,
  headerValues,
  isJsonMediaType,
} from '../../../kernel/exchanges/headers.ts';
import { unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';

/**
 * What the answers of a run say about whether the target is the service. `not-the-service` names the answers that show
 * it. `unknown`: no answer of the two specified operations shows the service yet, and none excludes it.
 */
type TargetReading =
  | { readonly kind: 'service' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-the-service'; readonly list: Exchange; readonly creation: Exchange };

/** The step that asks without a key whether the service answers under `/v1` below the given base address. */
export const UNDER_VERSION = 'the list under /v1, without a key';

/** Statuses of what does not exist at this address (RFC 9110 §15.5.5, §15.5.11 and §15.5.20). */
const ABSENT: ReadonlySet<number> = new Set([404, 410, 421]);

/** One answer that only the service would give is enough for `service`, for good. `not-the-service` takes the agreement of all. */
export function readTarget(exchanges: readonly Exchange[]): TargetReading {
  // What lies below the given address says nothing about the address itself.
  if (exchanges.some((one) => one.step !== UNDER_VERSION && showsService(one))) return { kind: 'service' };
  const absent = exchanges.filter((exchange) => exchange.caller === 'key' && isAbsent(exchange));
  const list = absent.find(({ request }) => request.method === 'GET');
  const creation = absent.find(({ request }) => request.method === 'POST');
  if (list === undefined || creation === undefined) return { kind: 'unknown' };
  return { kind: 'not-the-service', list, creation };
}

/** Whether an answer says that the operation does not exist at this address: absent, moved elsewhere, or a page for people. */
export function isAbsent(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  if (answer === undefined || !isDocumentedOperation(exchange)) return false;
  const { status, headers } = answer;
  if (ABSENT.has(status)) return true;
  if (status === 405) return exchange.request.method !== 'GET' || !allows(headers, 'POST');
  if (status >= 300 && status < 400) return !isSlashRedirect(exchange);
  if (status === 501) return !isJsonMediaType(headerValue(headers, 'Content-Type') ?? '');
  return status >= 200 && status < 300 && isHtml(exchange);
}

/** Whether an answer is HTML, by its media type or by how its body begins. */
export const isHtml = (exchange: Exchange): boolean =>
  /^(text\/html|application\/xhtml\+xml)\b/i.test(headerValue(headersOf(exchange), 'Content-Type') ?? '') ||
  isPage(exchange);

export const isPage = (exchange: Exchange): boolean => isPageText(completeText(exchange) ?? '');

export const isPageText = (text: string): boolean => /^\s{0,64}<(!doctype|html)\b/i.test(text);

const allows = (headers: Answer['headers'], method: string): boolean =>
  headerValues(headers, 'Allow')
    .join(',')
    .toUpperCase()
    .split(/[\s,]+/)
    .includes(method);

/** Whether a redirect sends to the same path with a slash at its end, as routers do: the operation exists, and LIST-1 judges the redirect. */
export function isSlashRedirect(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  if (answer === undefined || answer.status < 300 || answer.status > 399) return false;
  const location = headerValue(answer.headers, 'Location') ?? '';
  return location.replace(/^https?:\/\/[^/?#]*/i, '') === `${exchange.request.target}/`;
}

/** Whether only the service, conforming or broken, gives this answer. */
function showsService(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  if (answer === undefined || unavailable(exchange)) return false;
  if (!isDocumentedOperation(exchange)) return isJsonSuccess(answer);
  if (isAbsent(exchange)) return false;
  if (exchange.caller !== 'unauthenticated') return true;
  // Whatever authenticates before it looks at the path answers so at every address.
  if (answer.status === 401 || answer.status === 403) return false;
  return exchange.request.method === 'POST' || answer.status >= 400 || isJsonSuccess(answer);
}

const isJsonSuccess = ({ status, headers }: Answer): boolean =>
  status >= 200 && status < 300 && isJsonMediaType(headerValue(headers, 'Content-Type') ?? '');

/**
 * The base address that was probably meant: base addresses "end in the segment `/v1`". Undefined where the given one
 * does, and holds it once. `below`: the path below the given one at which it can be asked, if it lies there.
 */
export function likelyBase(baseUrl: string) {
  if (!URL.canParse(baseUrl)) return undefined;
  const { origin, pathname } = new URL(baseUrl);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const at = segments.findIndex((segment) => segment.toLowerCase() === 'v1');
  const resource = segments.indexOf('categories');
  const behind = at === -1 ? resource : at;
  if (behind === -1) return { address: [origin, ...segments, 'v1'].join('/'), below: '/v1' };
  const address = [origin, ...segments.slice(0, behind), 'v1'].join('/');
  return address === [origin, ...segments].join('/') ? undefined : { address, below: undefined };
}
