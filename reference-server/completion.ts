import type { Identity } from './callers.ts';
import type { Decision } from './limiter.ts';
import type { HeaderLine, Malformed, Outcome, Request, Response } from './message.ts';
import { errorResponse } from './message.ts';

/**
 * The response to a request once it was counted: 429 beyond the limit, then
 * why its shape is wrong, then 401 without a valid key, then what its route
 * answers.
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
  if (request.malformed !== undefined) return rejected(request.malformed);
  return identity.caller.known ? route(request) : unauthorized(identity);
}

const rejected = ({ status, code, message }: Malformed): Response => errorResponse(status, code, message);

/** Every answer carries the limit's headers, the time it was made, and what keeps it out of caches. */
export function complete({ status, headers, body }: Response, decision: Decision, now: number): Outcome {
  const common: readonly HeaderLine[] = [
    ['X-RateLimit-Limit', String(decision.limit)],
    ['X-RateLimit-Remaining', String(decision.remaining)],
    ['X-RateLimit-Reset', String(Math.ceil(decision.resetAt / 1000))],
    ['Date', dateText(Math.floor(now / 1000))],
    ['Cache-Control', 'no-store'],
    ['Content-Length', String(body.length)],
  ];
  return { kind: 'response', status, headers: [...headers, ...common], body };
}

/** The HTTP-date (RFC 9110 §5.6.7) of a Unix second. Kept, since all answers of a second say it. */
function dateText(second: number): string {
  if (lastDate?.second !== second) lastDate = { second, text: new Date(second * 1000).toUTCString() };
  return lastDate.text;
}

let lastDate: { readonly second: number; readonly text: string } | undefined;

/** Whole seconds, rounded up: a client that waits them out is never early (RFC 9110 §10.2.3). */
function tooManyRequests({ retryAt }: Decision, now: number): Response {
  const seconds = Math.ceil((retryAt - now) / 1000);
  return errorResponse(429, 'rate_limit_exceeded', `Too many requests; retry after ${seconds} s.`, [
    ['Retry-After', String(seconds)],
  ]);
}

/** RFC 6750 §3.1: an error code only where credentials came that did not do. */
function unauthorized({ presented }: Identity): Response {
  const [challenge, message] = presented
    ? ['Bearer realm="petstore", error="invalid_token"', 'The API key is not valid.']
    : ['Bearer realm="petstore"', 'Send an API key as Authorization: Bearer <API_KEY>.'];
  return errorResponse(401, 'unauthorized', message, [['WWW-Authenticate', challenge]]);
}
