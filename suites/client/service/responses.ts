import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { Reply } from '../model/scenario.ts';
import { Categories } from './categories.ts';
import { Quota } from './quota.ts';
import type { ReceivedBody } from './request-body.ts';

/** A response before it is written. */
export interface PreparedResponse {
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
  readonly #categories = new Categories();
  readonly #quota = new Quota();

  /** The response to a request with the key, at this moment (milliseconds since the Unix epoch). */
  to(request: ReadRequest, reply: Reply, wall: number): PreparedResponse {
    if (reply.kind === 'unauthorized') return Responses.unauthorized(wall);
    if (reply.kind === 'rate-limited') {
      return withHeaders(RATE_LIMITED, this.#quota.exhausted(wall, reply.retryAfter), wall);
    }
    const content = reply.kind === 'rejected' ? REJECTED : this.#served(request);
    return withHeaders(content, this.#quota.accepted(wall), wall);
  }

  /** The response to a request without the key: "When the key is missing or invalid, the service answers 401". */
  static unauthorized(wall: number): PreparedResponse {
    const headers: readonly HeaderLine[] = [...Quota.unauthenticated(wall), ['WWW-Authenticate', 'Bearer']];
    return withHeaders(UNAUTHORIZED, headers, wall);
  }

  #served({ operation, contentType, body }: ReadRequest): Content {
    if (operation === 'list') return { status: 200, body: JSON.stringify(this.#categories.list()) };
    if (operation === 'other') return NOT_FOUND;
    const created = this.#categories.create(body, contentType);
    return created === undefined ? REJECTED : { status: 201, body: JSON.stringify(created) };
  }
}

/** Status and body of a response. */
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
