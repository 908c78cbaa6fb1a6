import type { Decision } from '../limiters/limiter.ts';
import type { Identity } from './callers.ts';
import type { CategoryStore } from './categories.ts';
import { categoryJson, parseNewCategory } from './categories.ts';
import type { HeaderLine, Outcome, Request, Response } from './message.ts';
import { errorResponse, headerValues, jsonText } from './message.ts';

type Route = (request: Request) => Response;

interface Resource {
  readonly path: RegExp;
  readonly methods: Readonly<Record<string, Route>>;
}

/**
 * When `GET /pets/{petId}` was deprecated, and when it will be removed. The
 * specification states both facts and no date: these dates are ours.
 */
const DEPRECATED_AT = Date.UTC(2026, 0, 1);
const SUNSET_AT = Date.UTC(2027, 11, 31, 23, 59, 59);

/** Routes a request that has a valid key and is within its limits. */
export function createRouter(categories: CategoryStore): Route {
  const resources: readonly Resource[] = [
    {
      path: /^\/v1\/categories$/,
      methods: {
        GET: () => jsonText(200, categories.listJson()),
        POST: (request) => createCategory(categories, request),
      },
    },
    { path: /^\/v1\/pets\/[^/]+$/, methods: { GET: deprecatedPetLookup } },
    { path: /^\/v1\/store\/orders$/, methods: { GET: () => notImplemented('listing orders') } },
  ];
  return (request) => {
    const path = pathOf(request.target);
    const resource = resources.find((one) => one.path.test(path));
    if (resource === undefined) return errorResponse(404, 'not_found', 'There is no such resource.');
    const route = Object.hasOwn(resource.methods, request.method)
      ? resource.methods[request.method]
      : undefined;
    return route === undefined ? methodNotAllowed(Object.keys(resource.methods)) : route(request);
  };
}

/** The path of a request target in origin form or absolute form (RFC 9112 §3.2), without its query. */
function pathOf(target: string): string {
  const origin = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const query = origin.indexOf('?');
  return decodeUnreserved(query === -1 ? origin : origin.slice(0, query));
}

/** RFC 9110 §4.2.3: a letter, a digit, `-`, `.`, `_` or `~` is the same character when percent-encoded. */
function decodeUnreserved(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded;
  });
}

function createCategory(categories: CategoryStore, request: Request): Response {
  if (isEncoded(request)) {
    const message = 'Send the body without a Content-Encoding.';
    return errorResponse(415, 'unsupported_content_encoding', message, [['Accept-Encoding', 'identity']]);
  }
  const parsed = parseNewCategory(request);
  if (!parsed.ok) return errorResponse(400, parsed.problem.code, parsed.problem.message);
  const created = categories.create(parsed.category);
  if (created === null) return errorResponse(507, 'store_full', 'The store is full.');
  return jsonText(201, categoryJson(created));
}

/** RFC 9110 §8.4: any other content coding is a 415, with the accepted ones in `Accept-Encoding` (§12.5.3). */
function isEncoded(request: Request): boolean {
  return headerValues(request, 'Content-Encoding').some((coding) => !/^(identity)?$/i.test(coding));
}

/** Deprecated with a sunset date; the headers are those of RFC 9745 and RFC 8594. */
function deprecatedPetLookup(): Response {
  const { status, headers, body } = notImplemented('the pet lookup');
  const dates = [
    ['Deprecation', `@${DEPRECATED_AT / 1000}`],
    ['Sunset', new Date(SUNSET_AT).toUTCString()],
  ] as const;
  return { status, headers: [...headers, ...dates], body };
}

/** The specification only names these operations. */
function notImplemented(what: string): Response {
  return errorResponse(501, 'not_implemented', `The specification does not show ${what}.`);
}

function methodNotAllowed(methods: readonly string[]): Response {
  const allow = methods.join(', ');
  return errorResponse(405, 'method_not_allowed', `This resource allows ${allow}.`, [['Allow', allow]]);
}

/**
 * The response to a request that was counted: 429 beyond the limit, then the
 * status of a malformed request, then 401 without a valid key, then the
 * response of its route.
 * @param now milliseconds since the Unix epoch.
 */
export function respond(
  request: Request,
  identity: Identity,
  decision: Decision,
  now: number,
  route: (request: Request) => Response,
): Response {
  if (!decision.allowed) return tooManyRequests(decision, now);
  if (request.malformed !== undefined) {
    const { status, code, message } = request.malformed;
    return errorResponse(status, code, message);
  }
  return identity.caller.authenticated ? route(request) : unauthorized(identity);
}

/** Adds what every response carries: the rate-limit headers, the date, and `no-store` for caches. */
export function completeResponse(
  { status, headers, body }: Response,
  decision: Decision,
  now: number,
): Outcome {
  const complete: readonly HeaderLine[] = [
    ...headers,
    ['X-RateLimit-Limit', String(decision.limit)],
    ['X-RateLimit-Remaining', String(decision.remaining)],
    ['X-RateLimit-Reset', String(Math.ceil(decision.resetAt / 1000))],
    ['Date', httpDate(Math.floor(now / 1000))],
    ['Cache-Control', 'no-store'],
    ['Content-Length', String(body.length)],
  ];
  return { kind: 'response', status, headers: complete, body };
}

/** The HTTP-date (RFC 9110 §5.6.7) of a Unix second, cached because all responses of a second share it. */
function httpDate(second: number): string {
  if (lastDate?.second !== second) lastDate = { second, text: new Date(second * 1000).toUTCString() };
  return lastDate.text;
}

let lastDate: { readonly second: number; readonly text: string } | undefined;

/** Retry-After in whole seconds (RFC 9110 §10.2.3), rounded up: a client that waits for it is never early. */
function tooManyRequests({ retryAt }: Decision, now: number): Response {
  const seconds = Math.ceil((retryAt - now) / 1000);
  return errorResponse(429, 'rate_limit_exceeded', `Too many requests; retry after ${seconds} s.`, [
    ['Retry-After', String(seconds)],
  ]);
}

/** RFC 6750 §3.1: an error code only where the request has credentials and they are not valid. */
function unauthorized({ sentCredentials }: Identity): Response {
  const [challenge, message] = sentCredentials
    ? ['Bearer realm="petstore", error="invalid_token"', 'The API key is not valid.']
    : ['Bearer realm="petstore"', 'Send an API key as Authorization: Bearer <API_KEY>.'];
  return errorResponse(401, 'unauthorized', message, [['WWW-Authenticate', challenge]]);
}
