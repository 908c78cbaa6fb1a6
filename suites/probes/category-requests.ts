import { completeText } from '../../exchanges/body.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, statusOf } from '../../exchanges/headers.ts';
import { jsonFields, parsedJson } from '../../words/json.ts';
import type { ProbeRequest } from '../wire/session.ts';

/** `GET /categories` with the key under test. */
export function listRequest(more: Partial<ProbeRequest> = {}): ProbeRequest {
  return { method: 'GET', path: '/categories', credential: { kind: 'bearer', caller: 'key' }, ...more };
}

/** `POST /categories` with the key under test and this body: a value to be written as JSON, or raw text. */
export function createRequest(body: unknown, more: Partial<ProbeRequest> = {}): ProbeRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method: 'POST',
    path: '/categories',
    credential: { kind: 'bearer', caller: 'key' },
    body: text,
    ...more,
  };
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
