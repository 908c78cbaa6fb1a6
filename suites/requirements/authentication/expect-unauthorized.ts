import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { expectStatus } from '../../evidence/answers.ts';
import { barredCallers } from '../../evidence/barred-callers.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Problem } from '../../evidence/judgement.ts';
import { unclear } from '../../evidence/judgement.ts';

/**
 * Expects 401: "When the key is missing or invalid, the service answers 401". A 403 after this run ignored the wait of a 429 may bar the caller and say
 * nothing about the request.
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
