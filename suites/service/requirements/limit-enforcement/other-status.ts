import { completeText } from '../../../../kernel/exchanges/body.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../../kernel/exchanges/headers.ts';
import { isDocumentedOperation } from '../../../../kernel/exchanges/operation.ts';
import { accepted, isRateLimited, unavailable } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { surelyCounts } from '../../../../kernel/rate-limits/series/keyed-requests.ts';
import { readingOf } from '../../../../kernel/rate-limits/series/reading.ts';
import type { Series } from '../../../../kernel/rate-limits/series/series.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { isLockedOut } from '../../evidence/locked-out.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';
import { isOpenCreation } from '../../probes/quota-tail.ts';
import type { Use } from '../../probes/uses.ts';

/** A response that is neither success nor 429 while the quota is exhausted, and whether it came beyond the limit. */
export interface OtherStatus {
  readonly exchange: Exchange;
  readonly beyond: boolean;
}

/** The first such response in this stretch; undefined where there is none. */
export function otherStatus(evidence: Evidence, { series }: Use): OtherStatus | undefined {
  const exchanges = aboutTheLimit(series);
  const index = exchanges.findIndex(
    (exchange, i) =>
      exchange.probe === exhaustQuota.id && limitsWithOtherStatus(exchange, exchanges.slice(i + 1)),
  );
  const exchange = exchanges[index];
  if (exchange === undefined) return undefined;
  const before = exchanges.slice(0, index);
  const { perMinute } = evidence.run.limits;
  // A limiter may give back what a rejected creation took, after its response.
  const noneLeft = showsNoneLeft(before.filter(surelyCounts), perMinute);
  return {
    exchange,
    beyond: noneLeft || before.filter(accepted).length >= perMinute || before.length === perMinute,
  };
}

/** Whether the last response with readable headers has none of this limit left. */
function showsNoneLeft(before: readonly Exchange[], perMinute: number): boolean {
  const last = before.map(readingOf).findLast((reading) => reading !== undefined);
  return last?.limit === perMinute && last.remaining === 0;
}

/** The requests of a series without creations that show nothing about the limit. */
const aboutTheLimit = (series: Series): readonly Exchange[] =>
  series.flatMap(({ exchanges }) =>
    exchanges.filter((one) => !isOpenCreation(one) && !isRejectedCreation(one)),
  );

/** A service may reject a creation for its body, or because it is one too many to store, with any status for a mistake of the client. */
function isRejectedCreation(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return exchange.request.method === 'POST' && status >= 400 && status < 500 && !isRateLimited(exchange);
}

/** Requests in a row without a response, or answered 503, after which the network is no longer the likely reason. */
const MOST_WITHOUT_RESPONSE = 3;

/** Neither success nor 429. Without a response, or with 503, only if the next ones are the same: single requests may be lost, and a gateway may lose its service for a moment. */
function limitsWithOtherStatus(exchange: Exchange, later: readonly Exchange[]): boolean {
  if (accepted(exchange) || isRateLimited(exchange) || isLockedOut(exchange)) return false;
  if (statusOf(exchange) !== undefined && !unavailable(exchange)) return true;
  const next = later
    .filter((one) => one.sent.mono >= exchange.received.mono)
    .slice(0, MOST_WITHOUT_RESPONSE - 1);
  return (
    next.length === MOST_WITHOUT_RESPONSE - 1 && next.every((one) => statusOf(one) === statusOf(exchange))
  );
}

/** A 200 whose body is not a list although the quota was exhausted. */
export function limitedUnderOtherStatus({ run }: Evidence, { series }: Use): Exchange | undefined {
  const exchanges = aboutTheLimit(series);
  return exchanges.find((exchange, i) => {
    const answer = answerOf(exchange);
    if (exchange.probe !== exhaustQuota.id || answer?.status !== 200) return false;
    // A named operation has a body of another shape.
    const isList = exchange.request.method === 'GET' && isDocumentedOperation(exchange);
    const { perMinute } = run.limits;
    const exhausted = i >= perMinute || showsNoneLeft(exchanges.slice(0, i), perMinute);
    return isList && exhausted && completeText(answer)?.trimStart().startsWith('[') === false;
  });
}
