import { secondsText } from '../../../../kernel/basics/text.ts';
import { completeText } from '../../../../kernel/exchanges/body.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation, operationOf } from '../../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../../kernel/exchanges/headers.ts';
import {
  accepted,
  exchangeName,
  isKeyRejected,
  isRateLimited,
  receivedText,
  unavailable,
} from '../../../../kernel/exchanges/outcome-kinds.ts';
import { literalWaitSeconds } from '../../../../kernel/exchanges/rate-headers.ts';
import type { AdverseJudgement, Shown } from '../../../../kernel/findings/judgement.ts';
import { fail } from '../../../../kernel/findings/judgement.ts';
import type { Overrun } from '../../../../kernel/rate-limits/bounds/one-reset.ts';
import { firstOverrun } from '../../../../kernel/rate-limits/bounds/overrun.ts';
import { acceptedBetween429s, showsUntouched } from '../../../../kernel/rate-limits/bounds/windows.ts';
import { minuteQuota } from '../../../../kernel/rate-limits/quota.ts';
import type { Series } from '../../../../kernel/rate-limits/series.ts';
import { readingOf, seriesOf, surelyCounts } from '../../../../kernel/rate-limits/series.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { isLockedOut } from '../../evidence/locked-out.ts';
import { ban } from '../../probes/ban.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';
import { isOpenCreation } from '../../probes/quota-batches.ts';
import type { Use } from '../../probes/recount.ts';

/**
 * What the disposable key sent up to the first sign of a ban, from an untouched
 * quota on; empty where nothing shows that. A service may ban a client that keeps
 * sending, so nothing after that is judged.
 */
function disposableUse(evidence: Evidence): readonly Exchange[] {
  const sent = evidence.by('disposable').filter(({ step }) => step !== ban.steps.afterWait);
  const [first] = sent;
  const { perMinute } = evidence.run.limits;
  if (first === undefined || !showsUntouched(readingOf(first), perMinute)) return [];
  const limited = sent.find(isRateLimited);
  const usual = limited === undefined ? undefined : literalWaitSeconds(answerOf(limited));
  const end = sent.findIndex((one) => showsBan(one, usual));
  return end === -1 ? sent : sent.slice(0, end);
}

/** A wait that is longer than the first one by more than a second may be a ban. */
const showsBan = (exchange: Exchange, usualSeconds: number | undefined): boolean =>
  isKeyRejected(exchange) ||
  statusOf(exchange) === undefined ||
  (isRateLimited(exchange) && (literalWaitSeconds(answerOf(exchange)) ?? 0) > (usualSeconds ?? 0) + 1);

/** LIMIT-1 with a disposable key: operations that are accepted beyond the limit. */
export function acceptedBeyondLimit(evidence: Evidence): (AdverseJudgement & Shown) | undefined {
  const { limits } = evidence.run;
  const sent = evidence.fact(disposableUse);
  const over = firstOverrun(seriesOf(sent, limits)[0] ?? [], limits);
  if (over !== undefined) return tooManyAccepted(over, 'accepted requests of the disposable key');
  const found = acceptedBetween429s(sent, isOfTheService, minuteQuota(limits));
  if (found === undefined) return undefined;
  const [first, last] = [found.accepted[0], found.accepted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const operations = [...new Set(found.accepted.map(operationOf))].join(' and ');
  return fail(
    {
      expected: `at most ${found.allowed} accepted requests of the disposable key between two 429 responses ${secondsText(found.milliseconds)} apart`,
      received: `${found.accepted.length} (${operations}), from ${exchangeName(first)} to ${exchangeName(last)}`,
      reasoning: 'No conforming limiter gives back as much in that time and is exhausted again.',
    },
    [found.from, first, last, found.to],
  );
}

/** More was accepted than a bound allows. `what`: the requests, as a noun phrase. */
export const tooManyAccepted = (
  { accepted: count, allowed, milliseconds, last }: Overrun,
  what: string,
): AdverseJudgement & Shown =>
  fail(
    {
      expected: `at most ${allowed} ${what} in ${secondsText(milliseconds)}`,
      received: `${count}, the last one in ${exchangeName(last)}`,
    },
    [last],
  );

/** A path that the specification does not show may get its response from a router in front of the service. */
const isOfTheService = (exchange: Exchange): boolean =>
  isDocumentedOperation(exchange) || readingOf(exchange) !== undefined;

/** So many responses alike are no accident. */
const ALIKE = 3;

/**
 * LIMIT-3 with a disposable key: creations that get an error of the server beyond
 * the limit, each between two lists that get 429, although one was accepted
 * within the limit.
 */
export function otherwiseBeyondLimit(evidence: Evidence): (AdverseJudgement & Shown) | undefined {
  const sent = evidence.fact(disposableUse);
  const worked = sent.some((one) => one.step === ban.steps.creation && accepted(one));
  const between = sent.filter(
    (one, i) =>
      one.request.method === 'POST' &&
      one.step === ban.steps.persist &&
      [sent[i - 1], sent[i + 1]].every((list) => list !== undefined && isRateLimited(list)),
  );
  const [first] = between;
  const status = first === undefined ? undefined : statusOf(first);
  if (first === undefined || status === undefined || !worked) return undefined;
  const alike = between.every((one) => statusOf(one) === status);
  if (status < 500 || between.length < ALIKE || !alike) return undefined;
  return fail(
    {
      expected: '429 beyond the limit, whatever the operation',
      received: `${receivedText(first)} to each of ${between.length} creations, between lists that got 429`,
    },
    between,
  );
}

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
