import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { answerOf, statusOf } from '../../../exchanges/headers.ts';
import { isDocumentedOperation } from '../../../exchanges/operation.ts';
import { literalWaitSeconds } from '../../../exchanges/retry-after.ts';
import { expectStatus } from '../../evidence/answers.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Problem } from '../../evidence/judgement.ts';
import { unclear } from '../../evidence/judgement.ts';

/**
 * Expects 401: "When the key is missing or invalid, the service answers 401". A 403 after this run ignored the wait of
 * a 429 may bar the caller and say nothing about the request.
 * @param request what was sent, as a noun phrase.
 */
export function expectUnauthorized(
  evidence: Evidence,
  exchange: Exchange,
  request: string,
): Problem | undefined {
  if (!evidence.fact(barredCallers).has(exchange)) return expectStatus(exchange, 401, request);
  return unclear(
    `Expected 401 for ${request}, but received 403 in ${exchangeName(exchange)}. The run had not waited after a 429 to a request without a valid key, so the target may have barred such requests.`,
  );
}

/**
 * The 403 responses by which the target may have barred callers without a valid key, because this run went on after a
 * 429 to one of them without the wait that it asked for: "A client that keeps sending requests after receiving 429 may
 * have its API key temporarily banned." Callers without a key have none, so what counts them, such as an address, is
 * barred instead. A target that answers 403 before such a 429, or after a later 401, does not bar any.
 */
function barredCallers(evidence: Evidence): ReadonlySet<Exchange> {
  const barred = new Set<Exchange>();
  let waitsUntil = Number.NEGATIVE_INFINITY;
  let isIgnored = false;
  // A target may take the key in another presentation for no valid key.
  const callers = evidence.exchanges.filter(
    ({ caller }) => caller === 'unauthenticated' || caller === 'unspecified',
  );
  for (const exchange of callers) {
    isIgnored ||= exchange.sent.mono < waitsUntil;
    const status = statusOf(exchange);
    // A response that was lost may have been a 429.
    if (status === undefined) isIgnored = true;
    // A gateway may answer what it does not know by itself.
    if (status === 401 && isDocumentedOperation(exchange)) isIgnored = false;
    if (status === 403 && isIgnored) barred.add(exchange);
    if (status === 429)
      waitsUntil = exchange.received.mono + waitMs(exchange, evidence.run.limits.minuteSeconds);
  }
  return barred;
}

/** The announced wait in milliseconds, or a window where none is announced. */
const waitMs = (exchange: Exchange, windowSeconds: number): number =>
  1000 * (literalWaitSeconds(answerOf(exchange)) ?? windowSeconds);
