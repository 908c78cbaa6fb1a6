import { createHash } from 'node:crypto';
import { limitsOf } from '../../../spec/plans.ts';
import type { SeamContext, Seams } from '../../seams.ts';
import type { HeaderLine, Outcome, Request, Response } from '../../service/message.ts';
import { errorResponse, headerValues } from '../../service/message.ts';

/** A response that is about to be sent. */
export type SentResponse = Extract<Outcome, { kind: 'response' }>;

/** Whether a change applies to this response to this request. */
export type Applies = (response: SentResponse, request: Request) => boolean;

export const always: Applies = () => true;

/** Changes some responses after the service has made them. */
export const onResponse = (
  applies: Applies,
  change: (response: SentResponse, request: Request, context: SeamContext) => Outcome,
): Seams => remembering(applies, (context) => (response, request) => change(response, request, context));

/** The same with a state of its own for each service. */
export function remembering(
  applies: Applies,
  create: (context: SeamContext) => (response: SentResponse, request: Request) => Outcome,
): Seams {
  return {
    wrapService(handle, context) {
      const change = create(context);
      return (request) => {
        const outcome = handle(request);
        return outcome.kind === 'response' && applies(outcome, request) ? change(outcome, request) : outcome;
      };
    },
  };
}

/** Changes some responses by their number, from 1. */
export const inTurn = (
  applies: Applies,
  change: (response: SentResponse, turn: number, context: SeamContext) => Outcome,
): Seams =>
  remembering(applies, (context) => {
    let turn = 0;
    return (response) => {
      turn += 1;
      return change(response, turn, context);
    };
  });

/** Changes the bodies of creations before the service reads them. */
export const rewritingBodies = (change: (text: string, request: Request) => string): Seams => ({
  wrapService: (handle) => (request) => {
    const text = bodyText(request);
    const changed = isCreation(request) ? change(text, request) : text;
    return handle(changed === text ? request : { ...request, body: Buffer.from(changed) });
  },
});

/** Sends an Error in place of some responses. */
export const failing = (applies: Applies, status: number): Seams =>
  onResponse(applies, (response) => asError(response, status));

/** Replaces parts of some responses. */
export const editing = (applies: Applies, edit: Edit): Seams =>
  onResponse(applies, (response) => edited(response, edit));

/** Changes the value of one header, in some responses that have it. */
export const changingHeader = (
  applies: Applies,
  name: string,
  change: (value: string, context: SeamContext) => string,
): Seams =>
  onResponse(applies, (response, _, context) => mapHeader(response, name, (value) => change(value, context)));

/** Changes the Retry-After of 429 responses, from the correct wait in seconds and the time in milliseconds. */
export const changingRetryAfter = (write: (seconds: number, now: number) => string): Seams =>
  changingHeader(hasStatus(429), 'Retry-After', (seconds, { now }) => write(Number(seconds), now()));

/** Changes the text of some bodies, and their Content-Length with it. */
export const changingText = (applies: Applies, change: (text: string) => string): Seams =>
  onResponse(applies, (response) => withText(response, change(textOf(response))));

/** Changes the JSON object of some bodies. */
export const changingJson = (applies: Applies, change: (json: Record<string, unknown>) => unknown): Seams =>
  onResponse(applies, (response) => withJson(response, change));

/** Changes how each category's id is written. */
export const writingIds = (write: (id: bigint) => string): Seams =>
  changingText(showsCategories, (text) => mapIds(text, (id) => write(BigInt(id))));

/** Changes each category, in lists and in 201 responses. */
export const changingCategories = (
  change: (category: Record<string, unknown>) => Record<string, unknown>,
): Seams =>
  onResponse(showsCategories, (response) =>
    response.status === 201 ? withJson(response, change) : withItems(response, (items) => items.map(change)),
  );

/** Changes the items of lists. */
export const changingItems = (
  change: (items: readonly Record<string, unknown>[]) => readonly unknown[],
): Seams => onResponse(isList, (response) => withItems(response, change));

export function hasStatus(...wanted: readonly number[]): Applies {
  return (response) => wanted.includes(response.status);
}

/** 401 responses to some requests. */
export const unauthorized =
  (applies: (request: Request) => boolean): Applies =>
  ({ status }, request) =>
    status === 401 && applies(request);

/** Whether a request is for the orders, or for a pet: operations that the specification only names. */
export const isOrders = (request: Request): boolean => isRequestFor('GET', '/v1/store/orders', request);
export const isPet = (request: Request): boolean => isRequestFor('GET', '/v1/pets/1', request);

export function isCreation(request: Request): boolean {
  return isRequestFor('POST', '/v1/categories', request);
}

/** Whether a request has this method and path, with any query. */
export function isRequestFor(method: string, path: string, request: Request): boolean {
  return request.method === method && request.target.split('?')[0] === path;
}

/** A 200 with the list. */
export const isList: Applies = (response, request) =>
  response.status === 200 && isRequestFor('GET', '/v1/categories', request);

export const isCreated: Applies = hasStatus(201);

export const showsCategories: Applies = (response, request) =>
  isList(response, request) || isCreated(response, request);

/** A 400 with this `code` in its Error. */
export function isRejected(...codes: readonly string[]): Applies {
  return (response) =>
    response.status === 400 && codes.some((code) => textOf(response).includes(`"code":"${code}"`));
}

/** The body of a request as text, empty where it has none. */
export function bodyText(request: Request): string {
  return request.body === null ? '' : Buffer.from(request.body).toString();
}

/** The fields of a request's JSON body. @throws where the body is not JSON. */
export function fieldsOf(request: Request): Record<string, unknown> {
  return JSON.parse(bodyText(request));
}

export function textOf(response: Response): string {
  return Buffer.from(response.body).toString();
}

export function withoutHeaders(response: SentResponse, ...names: readonly string[]): SentResponse {
  return { ...response, headers: response.headers.filter(([name]) => !names.includes(name)) };
}

/** The headers that describe a body. */
export const OF_BODIES = ['Content-Type', 'Content-Length'] as const;

export const RATE_LIMIT = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export const withoutRateLimit = (response: SentResponse): SentResponse =>
  withoutHeaders(response, ...RATE_LIMIT);

/** What is replaced in a response. */
export interface Edit {
  readonly status?: number;
  /** The media type, where it has one. */
  readonly type?: string;
  readonly text?: string;
  /** Names of headers that it loses. */
  readonly without?: readonly string[];
  /** Further header lines at its end, by name. */
  readonly lines?: Readonly<Record<string, string>>;
}

/** The same response with these parts replaced. */
export function edited(response: SentResponse, edit: Edit): SentResponse {
  const { status = response.status, type, text, without = [], lines = {} } = edit;
  const bare = withoutHeaders(response, ...without);
  const typed = type === undefined ? bare : mapHeader(bare, 'Content-Type', () => type);
  const written = text === undefined ? typed : withText(typed, text);
  return { ...withLines(written, ...Object.entries(lines)), status };
}

/** The same response with the value of one header changed, where it has that header. */
export function mapHeader(
  response: SentResponse,
  name: string,
  change: (value: string) => string,
): SentResponse {
  return {
    ...response,
    headers: response.headers.map(([key, value]): HeaderLine => [key, key === name ? change(value) : value]),
  };
}

/** The same response with further header lines at its end. */
export function withLines(response: SentResponse, ...lines: readonly HeaderLine[]): SentResponse {
  return { ...response, headers: [...response.headers, ...lines] };
}

/** The same response with other names of headers. */
export function withNames(response: SentResponse, change: (name: string) => string): SentResponse {
  const headers = response.headers.map(([name, value]): HeaderLine => [change(name), value]);
  return { ...response, headers };
}

/** The same response with another body and its Content-Length. */
export const withText = (response: SentResponse, text: string): SentResponse =>
  withBytes(response, Buffer.from(text));

export function withBytes(response: SentResponse, body: Uint8Array): SentResponse {
  return mapHeader({ ...response, body }, 'Content-Length', () => String(body.length));
}

const isJson = (response: SentResponse): boolean => /^\s*[[{]/.test(textOf(response));

/** The same response with its JSON body changed; one without JSON, such as the page of a firewall before the service, stays as it is. */
export function withJson(
  response: SentResponse,
  change: (json: Record<string, unknown>) => unknown,
): SentResponse {
  if (!isJson(response)) return response;
  return withText(response, JSON.stringify(change(JSON.parse(textOf(response)))));
}

export function withItems(
  response: SentResponse,
  change: (items: readonly Record<string, unknown>[]) => readonly unknown[],
): SentResponse {
  if (!isJson(response)) return response;
  const items: Record<string, unknown>[] = JSON.parse(textOf(response));
  return withText(response, JSON.stringify(change(items)));
}

/** A list with its first items alone, and how many it has. */
export function firstItems(
  response: SentResponse,
  size: number,
): { readonly shown: SentResponse; readonly all: number } {
  let all = 0;
  const shown = withItems(response, (items) => {
    all = items.length;
    return items.slice(0, size);
  });
  return { shown, all };
}

/** An Error with another status in place of this response; the headers that every response has stay. */
export function asError(response: SentResponse, status: number): SentResponse {
  const error = errorResponse(status, `error_${status}`, 'The request failed.');
  const bare = withoutHeaders(response, 'WWW-Authenticate', 'Retry-After', 'Allow', 'Deprecation', 'Sunset');
  return withText({ ...bare, status }, textOf(error));
}

/** The same text with every category's id changed. Quotes within strings are escaped, so the pattern matches ids only. */
export function mapIds(text: string, change: (id: string) => string): string {
  return text.replace(/\{"id":(\d+),/g, (_, id: string) => `{"id":${change(id)},`);
}

/** Lists with an ETag, and 304 to a request that has it already (RFC 9110 §13.1.2); `change` is made to each 304. */
export function conditionalLists(change: (response: SentResponse) => SentResponse): Seams {
  return onResponse(isList, (response, request) => {
    const digest = createHash('sha256').update(response.body).digest('hex').slice(0, 16);
    const tagged = withLines(response, ['ETag', `W/"${digest}"`]);
    const known = headerValues(request, 'If-None-Match');
    return known.includes(`W/"${digest}"`) || known.includes('*') ? change(notModified(tagged)) : tagged;
  });
}

const notModified = (response: SentResponse): SentResponse =>
  edited(response, { status: 304, text: '', without: OF_BODIES });

/**
 * Sends each response so much later as the limiter decided for its request, with
 * the `Date` of that moment.
 * @param delays milliseconds, which the limiter sets anew for each request.
 */
export const delayingResponses = (delays: WeakMap<SeamContext, number>): Pick<Seams, 'wrapService'> => ({
  wrapService: (handle, context) => (request) => {
    delays.delete(context);
    const outcome = handle(request);
    const delayMs = delays.get(context) ?? 0;
    if (outcome.kind === 'dropped' || delayMs === 0) return outcome;
    const date = new Date(context.now() + delayMs).toUTCString();
    return { ...mapHeader(outcome, 'Date', () => date), delayMs };
  },
});

/** Delays responses, by their number and by the time between requests at the rate of the Free plan, in milliseconds. */
export const delayed = (delayMs: (turn: number, intervalMs: number) => number): Seams =>
  inTurn(always, (response, turn, { plans }) => {
    const intervalMs = (1000 * plans.minuteSeconds) / limitsOf(plans, 'free').perMinute;
    return { ...response, delayMs: delayMs(turn, intervalMs) };
  });

/** How a list is divided into pages. */
interface Paging {
  /** How many items a page has. */
  readonly size: number;
  /** The reference of the page with this number, as the Link header states it; `/v1/categories?page=N` by default. */
  readonly reference?: (page: number, request: Request) => string;
  /** The first item of the page with this number; by default the pages follow each other without a gap. */
  readonly firstItem?: (page: number) => number;
}

/** Divides the list into pages, with a Link header to the next one (RFC 8288). */
export function inPages({ size, reference = ownReference, firstItem }: Paging): Seams {
  return onResponse(isList, (response, request) => {
    const page = Math.max(1, Number(/[?&]page=(\d+)/.exec(request.target)?.[1] ?? 1));
    const start = firstItem?.(page) ?? (page - 1) * size;
    let more = false;
    const shown = withItems(response, (items) => {
      more = items.length > page * size;
      return items.slice(start, start + size);
    });
    return more ? withLines(shown, ['Link', `<${reference(page + 1, request)}>; rel="next"`]) : shown;
  });
}

const ownReference = (page: number): string => `/v1/categories?page=${page}`;
