import type { HeaderLine, Outcome, Request, Response } from '../../reference-server/message.ts';
import { errorResponse } from '../../reference-server/message.ts';
import type { Seams, Surroundings } from '../../reference-server/seams.ts';

/** An answer on its way out. */
export type Reply = Extract<Outcome, { kind: 'response' }>;

/** Whether a fault concerns this answer to this request. */
export type Applies = (reply: Reply, request: Request) => boolean;

/** Changes the answers that are concerned, after the service has made them. */
export function onReply(
  applies: Applies,
  change: (reply: Reply, request: Request, around: Surroundings) => Outcome,
): Seams {
  return {
    wrapService: (answer, around) => (request) => {
      const outcome = answer(request);
      const concerned = outcome.kind === 'response' && applies(outcome, request);
      return concerned ? change(outcome, request, around) : outcome;
    },
  };
}

/** Answers with one of these statuses. */
export function status(...wanted: readonly number[]): Applies {
  return (reply) => wanted.includes(reply.status);
}

/** Whether a request is to create a category. */
export function isCreation(request: Request): boolean {
  return asks('POST', '/v1/categories', request);
}

/** Whether a request asks for this method and path, whatever its query. */
export function asks(method: string, path: string, request: Request): boolean {
  return request.method === method && request.target.split('?')[0] === path;
}

/** A 200 with the list. */
export const isList: Applies = (reply, request) =>
  reply.status === 200 && asks('GET', '/v1/categories', request);

/** A 201. */
export const isCreated: Applies = status(201);

/** A list or a 201. */
export const showsCategories: Applies = (reply, request) =>
  isList(reply, request) || isCreated(reply, request);

/** A 400 with this `code` in its Error. */
export function isRefused(...codes: readonly string[]): Applies {
  return (reply) => reply.status === 400 && codes.some((code) => textOf(reply).includes(`"code":"${code}"`));
}

/** The body of a request as text, empty where it has none. */
export function bodyText(request: Request): string {
  return request.body === null ? '' : Buffer.from(request.body).toString();
}

/**
 * The fields of a request's JSON body.
 * @throws where the body is no JSON
 */
export function fieldsOf(request: Request): Record<string, unknown> {
  return JSON.parse(bodyText(request));
}

/** The body as text. */
export function textOf(reply: Response): string {
  return Buffer.from(reply.body).toString();
}

/** The same answer without these headers. */
export function without(reply: Reply, ...names: readonly string[]): Reply {
  return { ...reply, headers: reply.headers.filter(([name]) => !names.includes(name)) };
}

/** The same answer with one header changed in its place; `undefined` for a header that is not there changes nothing. */
export function mapHeader(reply: Reply, name: string, change: (value: string) => string): Reply {
  return {
    ...reply,
    headers: reply.headers.map(([key, value]): HeaderLine => [key, key === name ? change(value) : value]),
  };
}

/** The same answer with further header lines at its end. */
export function plus(reply: Reply, ...lines: readonly HeaderLine[]): Reply {
  return { ...reply, headers: [...reply.headers, ...lines] };
}

/** The same answer with another body and its length. */
export function withText(reply: Reply, text: string): Reply {
  const body = Buffer.from(text);
  return mapHeader({ ...reply, body }, 'Content-Length', () => String(body.length));
}

/** The same answer with its JSON body changed. */
export function withJson(reply: Reply, change: (json: Record<string, unknown>) => unknown): Reply {
  return withText(reply, JSON.stringify(change(JSON.parse(textOf(reply)))));
}

/** The same list with its items changed. */
export function withItems(
  reply: Reply,
  change: (items: readonly Record<string, unknown>[]) => readonly unknown[],
): Reply {
  const items: Record<string, unknown>[] = JSON.parse(textOf(reply));
  return withText(reply, JSON.stringify(change(items)));
}

/** The same answer as another media type. */
export function withType(reply: Reply, type: string): Reply {
  return mapHeader(reply, 'Content-Type', () => type);
}

/** An Error with another status in place of this answer; what belongs to every answer stays. */
export function asError(reply: Reply, code: number, word: string, message: string): Reply {
  const error = errorResponse(code, word, message);
  const bare = without(reply, 'WWW-Authenticate', 'Retry-After', 'Allow', 'Deprecation', 'Sunset');
  return withText({ ...bare, status: code }, textOf(error));
}

/**
 * The same text with every category's id written otherwise. Within strings
 * quotes are escaped, so the pattern finds ids and nothing else.
 */
export function mapIds(text: string, change: (id: string) => string): string {
  return text.replace(/\{"id":(\d+),/g, (_, id: string) => `{"id":${change(id)},`);
}
