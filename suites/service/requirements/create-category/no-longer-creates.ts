import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { receivedText } from '../../../../kernel/exchanges/exchange-text.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import { isDocumentedOperation } from '../../../../kernel/exchanges/operation.ts';
import { isRateLimited, unavailable } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail } from '../../../../kernel/findings/judgement.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { creations, firstBatch, firstCreation, secondBatch } from '../../probes/creations.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';

/** So many in a row are no accident of one moment, nor of one of the texts that they carry. */
const FEWEST = 3;

/**
 * Valid creations that returned 201 at first and from some point on 500, every one of them (CREATE-1). A service
 * may store no more, and says so with another status: 500 is an unexpected condition (RFC 9110 §15.6.1).
 */
export function noLongerCreates(evidence: Evidence): Judgement | undefined {
  const sent = evidence.of(firstCreation, firstBatch, creations, secondBatch, exhaustQuota).filter(decides);
  const after = sent.slice(sent.findLastIndex((one) => statusOf(one) === 201) + 1);
  const [first] = after;
  if (first === undefined || after.length < FEWEST || after.some((one) => statusOf(one) !== 500))
    return undefined;
  return fail(
    {
      expected: '201 for each valid creation',
      received: `${receivedText(first)}, and for ${countOf(after.length - 1, 'further creation')} after it`,
      reasoning: 'Earlier creations returned 201, and none from this one on.',
    },
    after.slice(0, FEWEST),
  );
}

/** Whether the service itself responded to this creation, and its rate-limiter did not. */
const decides = (exchange: Exchange): boolean =>
  exchange.request.method === 'POST' &&
  isDocumentedOperation(exchange) &&
  statusOf(exchange) !== undefined &&
  !isRateLimited(exchange) &&
  !unavailable(exchange);
