import { jsonFields, parsedJson } from '../../../kernel/basics/json.ts';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { Reply, RetryAfter } from '../model/scenario.ts';
import type { ReceivedBody } from './request-body.ts';

/** A category as a client creates it. */
interface NewCategory {
  readonly name: string;
  readonly description?: string;
}

/** "All requests and responses that carry a body use `application/json`"; parameters such as a charset may follow. */
const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;|$)/i.test(contentType ?? '');

function newCategoryOf(bytes: Buffer): NewCategory | undefined {
  const { name, description } = jsonFields(parsedJson(bytes.toString('utf8')));
  if (typeof name !== 'string') return undefined;
  if (description === undefined) return { name };
  return typeof description === 'string' ? { name, description } : undefined;
}

/** The limit of the Business plan: more than a scripted service takes, so that Remaining never contradicts a 200. */
const LIMIT = 1000;
const WINDOW_MS = 60_000;

/** What the three headers of every response show. */
interface QuotaState {
  readonly remaining: number;
  /** Milliseconds since the Unix epoch. */
  readonly resetAt: number;
}

const RESET = 'X-RateLimit-Reset';

const untouched = (wall: number): QuotaState => ({ remaining: LIMIT, resetAt: wall + WINDOW_MS });

/** When the wait of a 429 ends. A date lies on a whole second, so it is that many seconds ahead or up to one more. */
function endOfWait(wall: number, retryAfter: RetryAfter): number {
  if (retryAfter.form === 'absent') return wall;
  const end = wall + 1000 * retryAfter.seconds;
  return retryAfter.form === 'date' ? 1000 * Math.ceil(end / 1000) : end;
}

const quotaHeaders = ({ remaining, resetAt }: QuotaState): readonly HeaderLine[] => [
  ['X-RateLimit-Limit', String(LIMIT)],
  ['X-RateLimit-Remaining', String(remaining)],
  [RESET, String(Math.ceil(resetAt / 1000))],
];

/** Without Retry-After there is no Reset either: some clients wait for it instead, and the scenario gives no time. */
function limitHeaders(state: QuotaState, retryAfter: RetryAfter): readonly HeaderLine[] {
  const headers = quotaHeaders(state);
  if (retryAfter.form === 'absent') return headers.filter(([name]) => name !== RESET);
  const value =
    retryAfter.form === 'seconds' ? String(retryAfter.seconds) : new Date(state.resetAt).toUTCString();
  return [...headers, ['Retry-After', value]];
}

interface PreparedResponse {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: string;
}

/** The operations that the specification describes completely; `other` is everything else. */
export type ServedOperation = 'list' | 'creation' | 'other';

/** A request as far as its response depends on it. */
export interface ReadRequest {
  readonly operation: ServedOperation;
  readonly contentType: string | undefined;
  readonly body: ReceivedBody;
}

const CATEGORIES_PATH = '/v1/categories';

/** The operation of a method and a target without the prefix of its start; parameters of the query change nothing. */
export function operationOf(method: string, target: string): ServedOperation {
  if (target.split('?')[0] !== CATEGORIES_PATH) return 'other';
  if (method === 'GET') return 'list';
  return method === 'POST' ? 'creation' : 'other';
}

/** The responses of one service: every one conforms, except a 429 that the script gives no Retry-After. */
export class Responses {
  readonly #stored: (NewCategory & { readonly id: number })[] = [];
  /** Of the key, as the headers show it. The script decides about 429; this follows, so that they agree. */
  #quota: QuotaState = { remaining: LIMIT, resetAt: 0 };

  /** The response to a request at this moment (milliseconds since the Unix epoch). */
  to(request: ReadRequest, reply: Reply, wall: number): PreparedResponse {
    if (reply.kind === 'unauthorized') {
      // "When the key is missing or invalid, the service answers 401". It uses no quota of the key.
      return withHeaders(
        UNAUTHORIZED,
        [...quotaHeaders(untouched(wall)), ['WWW-Authenticate', 'Bearer']],
        wall,
      );
    }
    if (reply.kind === 'rate-limited') {
      this.#quota = { remaining: 0, resetAt: endOfWait(wall, reply.retryAfter) };
      return withHeaders(RATE_LIMITED, limitHeaders(this.#quota, reply.retryAfter), wall);
    }
    const content = reply.kind === 'rejected' ? REJECTED : this.#served(request);
    const { remaining, resetAt } = wall >= this.#quota.resetAt ? untouched(wall) : this.#quota;
    this.#quota = { remaining: Math.max(0, remaining - 1), resetAt };
    return withHeaders(content, quotaHeaders(this.#quota), wall);
  }

  /** "400 (Error body) when the body lacks required fields or holds invalid values." */
  #served({ operation, contentType, body }: ReadRequest): Content {
    if (operation === 'list') return { status: 200, body: JSON.stringify(this.#stored) };
    if (operation === 'other') return NOT_FOUND;
    const sent = isJson(contentType) && body.complete ? newCategoryOf(body.bytes) : undefined;
    if (sent === undefined) return REJECTED;
    const category = { id: this.#stored.length + 1, ...sent };
    this.#stored.push(category);
    return { status: 201, body: JSON.stringify(category) };
  }
}

type Content = Pick<PreparedResponse, 'status' | 'body'>;

const errorOf = (status: number, code: string, message: string): Content => ({
  status,
  body: JSON.stringify({ code, message, status }),
});

const RATE_LIMITED = errorOf(429, 'rate_limited', 'The rate limit is exceeded.');
const UNAUTHORIZED = errorOf(401, 'unauthorized', 'The API key is missing or invalid.');
const REJECTED = errorOf(400, 'invalid_category', 'The body is not a valid category.');
const NOT_FOUND = errorOf(404, 'not_found', 'There is no such operation.');

const withHeaders = (content: Content, headers: readonly HeaderLine[], wall: number): PreparedResponse => ({
  ...content,
  headers: [
    ['Date', new Date(wall).toUTCString()],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(Buffer.byteLength(content.body))],
    ...headers,
  ],
});

/** Exactly one, "in the form `Bearer <API_KEY>`", the scheme without case (RFC 9110 §11.1). */
export function hasKey(headers: readonly HeaderLine[], key: string): boolean {
  const values = headers.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value);
  const [value = ''] = values;
  return values.length === 1 && /^bearer /i.test(value) && value.slice('Bearer '.length) === key;
}
