import { jsonFields, parsedJson } from '../../../kernel/basics/json.ts';
import { completeText } from '../../../kernel/exchanges/body.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/operation.ts';
import type { InvalidCredential } from '../wire/keyring.ts';
import type { ProbeRequest } from '../wire/session.ts';

/** `GET /categories` with the key under test. */
export function listRequest(more: Partial<ProbeRequest> = {}): ProbeRequest {
  return { method: 'GET', path: '/categories', credential: { kind: 'bearer', caller: 'key' }, ...more };
}

/** The list with a credential that is not valid, by default none. */
export const unauthenticatedList = (
  kind: InvalidCredential = 'none',
  more: Partial<ProbeRequest> = {},
): ProbeRequest => listRequest({ credential: { kind }, ...more });

/** A request of a probe and its step. */
export interface LabelledRequest {
  readonly step: string;
  readonly request: ProbeRequest;
}

/** So many lists with the key under test, each over a parallel connection that stays open. */
export const parallelLists = (count: number): readonly ProbeRequest[] =>
  Array.from({ length: count }, (_, i) => listRequest({ route: `parallel-${i + 1}` }));

/** Whether this is the list, as the target showed it to the key. */
export const isListOfKey = (exchange: Exchange): boolean =>
  exchange.caller === 'key' &&
  exchange.request.method === 'GET' &&
  isDocumentedOperation(exchange) &&
  statusOf(exchange) === 200;

/** `POST /categories` with the key under test and this body: a value to be written as JSON, raw text, or none (undefined). */
export function createRequest(body: unknown, more: Partial<ProbeRequest> = {}): ProbeRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return listRequest({ method: 'POST', body: text, ...more });
}

/** The body of a creation that the specification allows. */
export interface NewCategoryBody {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The body of a creation as it was sent; undefined where it has no name. */
export function readBody({ request: { body } }: Exchange): NewCategoryBody | undefined {
  if (body === null || body.cut) return undefined;
  try {
    const { name, description } = Object(JSON.parse(body.text));
    if (typeof name !== 'string') return undefined;
    return typeof description === 'string' ? { name, description } : { name };
  } catch {
    return undefined;
  }
}

/** The id in the 201 of a creation; undefined where there is none, or where a double does not hold it. */
export function createdId(exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  if (answer?.status !== 201) return undefined;
  const { id } = jsonFields(parsedJson(completeText(answer) ?? ''));
  return Number.isSafeInteger(id) ? Number(id) : undefined;
}

/** 400; 422 as many frameworks do by default (RFC 9110 §15.5.21); 409 as those that answer so where any constraint of a table is violated. */
const REJECTED: ReadonlySet<number | undefined> = new Set([400, 409, 422]);

/** Whether the target rejected the body. */
export const isRejected = (exchange: Exchange): boolean => REJECTED.has(statusOf(exchange));
