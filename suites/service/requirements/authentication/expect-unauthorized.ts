import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName, responseText } from '../../../../kernel/exchanges/exchange-text.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import { isRateLimited } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { unclear } from '../../../../kernel/findings/judgement.ts';
import { expectStatus } from '../../evidence/answers.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { carriesKey } from '../../model/lockout.ts';
import { lockoutSteps } from '../../probes/unless-locked-out.ts';

/**
 * Expects 401: "When the key is missing or invalid, the service answers 401". Where the key is locked after keys like it,
 * a target may answer so wherever it stands, so the key itself has to be tried afterwards.
 * @param request what was sent, as a noun phrase.
 */
export function expectUnauthorized(
  evidence: Evidence,
  exchange: Exchange,
  request: string,
): Problem | undefined {
  const mayBeLocked = LOCKED.has(statusOf(exchange)) && carriesKey(exchange) && isUntried(evidence, exchange);
  if (!mayBeLocked) return expectStatus(exchange, 401, request);
  return unclear(
    `Expected 401 for ${request}, but received ${responseText(exchange)} in ${exchangeName(exchange)}. No later response to the key itself shows whether the target has locked it, after keys like it that were rejected.`,
  );
}

const LOCKED: ReadonlySet<number | undefined> = new Set([403, 423]);

/** Whether the run looked for a lockout, and since the first answer of this status no response to the key excludes a lock of it. */
function isUntried(evidence: Evidence, exchange: Exchange): boolean {
  const alike = evidence.by('unauthenticated').find((one) => statusOf(one) === statusOf(exchange));
  const since = Math.min(exchange.n, alike?.n ?? exchange.n);
  return (
    evidence.exchanges.some((one) => one.n > exchange.n && one.step === lockoutSteps.withoutKey) &&
    !evidence.by('key').some((one) => one.n > since && statusOf(one) !== undefined && !isRateLimited(one))
  );
}
