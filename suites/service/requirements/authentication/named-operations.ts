import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName, receivedText, responseText } from '../../../../kernel/exchanges/exchange-text.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import { hasRateHeaders } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Judgement, Problem } from '../../../../kernel/findings/judgement.ts';
import { judgeEach, notTested, violation } from '../../../../kernel/findings/judgement.ts';
import { isSuccess, namedPathOf, namedWithKey } from '../../evidence/answers.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { NAMED_OPERATIONS } from '../../probes/unauthenticated.ts';
import { expectUnauthorized } from './expect-unauthorized.ts';

/**
 * Judges the requests to the operations that the specification only names, sent
 * without a valid key (AUTH-5). A success violates in any case. Any other status
 * than 401 violates where the operation is there; a 404 leaves it untested.
 */
export function judgeNamedOperations(
  evidence: Evidence,
  sent: readonly Exchange[],
  whyNothing: string,
): Judgement {
  const present = sent.filter((exchange) => statusOf(exchange) !== 404);
  if (sent.length > 0 && present.length === 0)
    return notTested(
      `The target answers 404 to ${NAMED_OPERATIONS.join(' and ')}: the operations are absent.`,
      sent,
    );
  const shown = present.filter((exchange) => !mayBeAbsent(evidence, exchange));
  if (present.length > 0 && shown.length === 0) return notShown(evidence, present);
  return judgeEach(shown, (exchange) => openAccess(evidence, exchange), {
    good: 'The named operations that are there were always answered 401 without a valid key',
    none: whyNothing,
  });
}

function openAccess(evidence: Evidence, exchange: Exchange): Problem | undefined {
  if (isSuccess(exchange))
    return violation({
      expected: `no success without a valid key ("${exchange.step}")`,
      received: receivedText(exchange),
    });
  return expectUnauthorized(evidence, exchange, `a named operation without a valid key ("${exchange.step}")`);
}

/**
 * Whether a status other than 401 may come from what stands where no operation
 * is: a gateway or a router. With the key the answer was no success, and no 501 of
 * the service either.
 */
function mayBeAbsent(evidence: Evidence, exchange: Exchange): boolean {
  const status = statusOf(exchange);
  if (status === undefined || status === 401 || status === 429 || isSuccess(exchange)) return false;
  return !namedWithKey(evidence, namedPathOf(exchange) ?? '').some(isThere);
}

/** A success is the operation's. So is a 501 with the headers of the service; a router in front of it has none. */
function isThere(exchange: Exchange): boolean {
  if (isSuccess(exchange)) return true;
  return statusOf(exchange) === 501 && hasRateHeaders(exchange);
}

function notShown(evidence: Evidence, present: readonly Exchange[]): Judgement {
  const [first] = present as readonly [Exchange, ...Exchange[]];
  const [keyed] = namedWithKey(evidence, namedPathOf(first) ?? '');
  const withKey =
    keyed === undefined
      ? 'no request with the key shows whether the operation is there'
      : `the answer with the key was ${responseText(keyed)} in ${exchangeName(keyed)}, which does not show that the operation is there`;
  return notTested(`Without a valid key the target sent ${receivedText(first)}, and ${withKey}.`, present);
}
