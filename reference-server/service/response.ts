import type { Decision } from '../limiters/limiter.ts';
import type { Identity } from './callers.ts';
import type { HeaderLine, Outcome, Request, Response } from './message.ts';
import { errorResponse } from './message.ts';

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
  const common: readonly HeaderLine[] = [
    ['X-RateLimit-Limit', String(decision.limit)],
    ['X-RateLimit-Remaining', String(decision.remaining)],
    ['X-RateLimit-Reset', String(Math.ceil(decision.resetAt / 1000))],
    ['Date', httpDate(Math.floor(now / 1000))],
    ['Cache-Control', 'no-store'],
    ['Content-Length', String(body.length)],
  ];
  return { kind: 'response', status, headers: [...headers, ...common], body };
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
