import { secondsText } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName, receivedText } from '../../../../kernel/exchanges/exchange-text.ts';
import { answerOf, statusOf } from '../../../../kernel/exchanges/headers.ts';
import { isDocumentedOperation, operationOf } from '../../../../kernel/exchanges/operation.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { literalWaitSeconds } from '../../../../kernel/exchanges/retry-after.ts';
import type { AdverseJudgement, Shown } from '../../../../kernel/findings/judgement.ts';
import { fail } from '../../../../kernel/findings/judgement.ts';
import type { Overrun } from '../../../../kernel/rate-limits/bounds/accepted-bound.ts';
import { acceptedBetween429s } from '../../../../kernel/rate-limits/bounds/between-429s.ts';
import { firstOverrun } from '../../../../kernel/rate-limits/bounds/overrun.ts';
import { minuteQuota } from '../../../../kernel/rate-limits/quota.ts';
import { readingOf } from '../../../../kernel/rate-limits/series/reading.ts';
import { seriesOf } from '../../../../kernel/rate-limits/series/series.ts';
import { showsUntouched } from '../../../../kernel/rate-limits/untouched.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { ban } from '../../probes/ban.ts';

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
