import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName, receivedText } from '../../../../kernel/exchanges/exchange-text.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import { accepted, isKeyRejected, unavailable } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Fact } from '../../../../kernel/findings/finding-text.ts';
import type { AdverseJudgement, Judgement, Shown } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass, unproven } from '../../../../kernel/findings/judgement.ts';
import { circumstances } from '../../evidence/circumstances.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { ifRepeated } from '../../evidence/repeated.ts';
import { exhaustingUse } from '../../evidence/uses.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';
import { preflight } from '../../probes/preflight.ts';
import type { Use } from '../../probes/uses.ts';
import { otherwiseBeyondLimit } from './beyond-the-limit.ts';
import type { OtherStatus } from './other-status.ts';
import { limitedUnderOtherStatus, otherStatus } from './other-status.ts';
import { whereUnavailable } from './unavailable-again.ts';

/** LIMIT-3: whether the request beyond the limit returns 429 and nothing else. */
export function limitsWith429(evidence: Evidence): Judgement {
  const use = evidence.fact(exhaustingUse);
  if (use === undefined) return inconclusive(evidence.whyNothing(preflight, exhaustQuota));
  const beyond = otherwiseBeyondLimit(evidence);
  if (beyond !== undefined) return beyond;
  if (use.limited !== undefined)
    return pass('The request at which the quota ended returned 429.', [use.limited.exchange]);
  const expected = '429 beyond the limit';
  const disguised = limitedUnderOtherStatus(evidence, use);
  if (disguised !== undefined) {
    const received = `200 with a body that is not a list in ${exchangeName(disguised)}`;
    return fail({ expected, received }, [disguised]);
  }
  const other = otherStatus(evidence, use);
  if (other === undefined)
    return inconclusive(evidence.lacking('No request was rate-limited.', exhaustQuota));
  return otherThan429(evidence, other, { expected, received: receivedText(other.exchange) });
}

/** What a response that is neither success nor 429 proves at the end of the quota. */
function otherThan429(evidence: Evidence, { exchange, beyond }: OtherStatus, fact: Fact): Judgement {
  const shown = [exchange];
  const lost = evidence.exchanges.some((one) => one.n < exchange.n && statusOf(one) === undefined);
  if (statusOf(exchange) === undefined && lost)
    return unproven(fact, 'Other responses of this run were lost, too, so it may be the network.', shown);
  // A key without other clients, or one that worked again and was rejected at the same point each time, is no banned key.
  const mayBeBanned = !beyond || !(evidence.exclusive || workedLater(evidence, exchange));
  if (evidence.lost.has(exchange) && mayBeBanned)
    return unproven(fact, 'Every later request received the same, so the key may have been banned.', shown);
  if (unavailable(exchange)) return whereUnavailable(evidence, exchange, fact);
  if (beyond) return ifNoBan(evidence, exchange, fail(fact, shown));
  const beside = evidence.fact(circumstances)?.text;
  const reason = 'It came before the limit was reached, so it may have another reason.';
  return unproven(fact, beside === undefined ? reason : `${reason} ${beside}`, shown);
}

const workedLater = (evidence: Evidence, { n }: Exchange): boolean =>
  evidence.by('key').some((one) => one.n > n && accepted(one));

/** A banned key returns 401 or 403, too, and another client may have caused the ban: only a repetition proves it. */
function ifNoBan(evidence: Evidence, exchange: Exchange, adverse: AdverseJudgement & Shown): Judgement {
  if (!isKeyRejected(exchange)) return adverse;
  const status = statusOf(exchange);
  const again = ({ series }: Use): number | undefined =>
    series.some(({ exchanges }) => exchanges.some((one) => statusOf(one) === status)) ? status : undefined;
  return ifRepeated(evidence, adverse, again);
}
