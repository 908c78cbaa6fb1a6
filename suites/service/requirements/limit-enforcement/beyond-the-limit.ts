import { countOf, secondsText } from '../../../../kernel/basics/text.ts';
import { completeText } from '../../../../kernel/exchanges/body.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation, operationOf } from '../../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import {
  accepted,
  exchangeName,
  isKeyRejected,
  isRateLimited,
  receivedText,
  unavailable,
} from '../../../../kernel/exchanges/outcome-kinds.ts';
import { literalWaitSeconds } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Adverse, Judgement, ShownFact } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass, unproven } from '../../../../kernel/findings/judgement.ts';
import type { Overrun } from '../../../../kernel/rate-limits/bounds/one-reset.ts';
import { firstOverrun } from '../../../../kernel/rate-limits/bounds/overrun.ts';
import { acceptedBetween429s, showsUntouched } from '../../../../kernel/rate-limits/bounds/windows.ts';
import { minuteQuota, mostRefill } from '../../../../kernel/rate-limits/quota.ts';
import type { Series } from '../../../../kernel/rate-limits/series.ts';
import { exchangesOf, readingOf, seriesOf, surelyCounts } from '../../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../../spec/plans.ts';
import { circumstances } from '../../evidence/circumstances.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { isLockedOut } from '../../evidence/locked-out.ts';
import { ifRepeated } from '../../evidence/repeated.ts';
import { exhaustingUse, uses } from '../../evidence/uses.ts';
import { ban } from '../../probes/ban.ts';
import { isOpenCreation } from '../../probes/exhaust-quota.ts';
import type { Use } from '../../probes/recount.ts';
import { endsUnavailable, unavailableAgain } from '../../probes/repetition.ts';

/** Up to the first sign of a ban: a service may ban a client that keeps sending. Empty where nothing shows an untouched quota. */
function disposableUse(evidence: Evidence): readonly Exchange[] {
  const sent = evidence.by('disposable').filter(({ step }) => step !== ban.steps.afterWait);
  const [first] = sent;
  const { perMinute } = evidence.limits;
  if (first === undefined || !showsUntouched(readingOf(first), perMinute)) return [];
  const limited = sent.find(isRateLimited);
  const usual = limited === undefined ? undefined : literalWaitSeconds(limited);
  const end = sent.findIndex((one) => showsBan(one, usual));
  return end === -1 ? sent : sent.slice(0, end);
}

/** A wait that is longer than the first one by more than a second may be a ban. */
const showsBan = (exchange: Exchange, usualSeconds: number | undefined): boolean =>
  isKeyRejected(exchange) ||
  statusOf(exchange) === undefined ||
  (isRateLimited(exchange) && (literalWaitSeconds(exchange) ?? 0) > (usualSeconds ?? 0) + 1);

/** LIMIT-1 with a disposable key: operations that are accepted beyond the limit. */
export function acceptedBeyondLimit(evidence: Evidence): Adverse | undefined {
  const { limits, quota } = evidence;
  const sent = evidence.fact(disposableUse);
  const over = firstOverrun(seriesOf(sent, limits)[0] ?? [], limits);
  if (over !== undefined) return tooManyAccepted(over, 'accepted requests of the disposable key');
  const found = acceptedBetween429s(sent, isOfTheService, quota);
  if (found === undefined) return undefined;
  const [first, last] = [found.accepted[0], found.accepted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const operations = [...new Set(found.accepted.map(operationOf))].join(' and ');
  return fail({
    expected: `at most ${found.allowed} accepted requests of the disposable key between two 429 responses ${secondsText(found.milliseconds)} apart`,
    received: `${found.accepted.length} (${operations}), from ${exchangeName(first)} to ${exchangeName(last)}`,
    reasoning: 'No conforming limiter gives back as much in that time and is exhausted again.',
    exchanges: [found.from, first, last, found.to],
  });
}

/** More was accepted than a bound allows. `what`: the requests, as a noun phrase. */
export const tooManyAccepted = (
  { accepted: count, allowed, milliseconds, last }: Overrun,
  what: string,
): Adverse =>
  fail({
    expected: `at most ${allowed} ${what} in ${secondsText(milliseconds)}`,
    received: `${count}, the last one in ${exchangeName(last)}`,
    exchanges: [last],
  });

/** A path that the specification does not show may get its response from a router in front of the service. */
const isOfTheService = (exchange: Exchange): boolean =>
  isDocumentedOperation(exchange) || readingOf(exchange) !== undefined;

/** So many responses alike are no accident. */
const ALIKE = 3;

/** An error of the server, each between two lists that get 429, although a creation was accepted within the limit. */
function otherwiseBeyondLimit(evidence: Evidence): Adverse | undefined {
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
  return fail({
    expected: '429 beyond the limit, whatever the operation',
    received: `${receivedText(first)} to each of ${between.length} creations, between lists that got 429`,
    exchanges: between,
  });
}

type OtherStatus = NonNullable<ReturnType<typeof otherStatus>>;

/** The first response in this stretch that is neither success nor 429 while the quota is exhausted, and whether it came beyond the limit. */
export function otherStatus(evidence: Evidence, { series }: Use) {
  const exchanges = aboutTheLimit(series);
  const index = exchanges.findIndex(
    (exchange, i) =>
      exchange.probe === 'exhaust-quota' && limitsWithOtherStatus(exchange, exchanges.slice(i + 1)),
  );
  const exchange = exchanges[index];
  if (exchange === undefined) return undefined;
  const before = exchanges.slice(0, index);
  const { perMinute } = evidence.limits;
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
function limitedUnderOtherStatus({ limits: { perMinute } }: Evidence, { series }: Use): Exchange | undefined {
  const exchanges = aboutTheLimit(series);
  return exchanges.find((exchange, i) => {
    if (exchange.probe !== 'exhaust-quota' || statusOf(exchange) !== 200) return false;
    // A named operation has a body of another shape.
    const isList = exchange.request.method === 'GET' && isDocumentedOperation(exchange);
    const exhausted = i >= perMinute || showsNoneLeft(exchanges.slice(0, i), perMinute);
    return isList && exhausted && completeText(exchange)?.trimStart().startsWith('[') === false;
  });
}

/** An outage begins at its own time: this is a limit where it came again after as many requests, each time behind accepted ones. */
function whereUnavailable(evidence: Evidence, exchange: Exchange, fact: ShownFact): Judgement {
  const again = evidence.fact(uses).filter(({ first }) => first.probe === 'unavailable-again');
  const limited = again.flatMap((use) => use.limited?.exchange ?? [])[0];
  if (limited !== undefined)
    return pass(
      `${exchangeName(exchange)} says that the service is unavailable; when the quota was exhausted again, the request beyond it returned 429.`,
      [exchange, limited],
    );
  const rounds = again.flatMap(({ series }) => roundOf(exchangesOf(series), evidence.limits) ?? []);
  const [one, two] = rounds;
  if (one === undefined || two === undefined)
    return unproven(fact, evidence.lacking(MAY_BE_OUTAGE, 'unavailable-again'));
  const cited = [exchange, one.ended, two.ended];
  const counts = `it came again after ${one.answered} and after ${countOf(two.answered, 'accepted request')} (${exchangeName(one.ended)} and ${exchangeName(two.ended)}), each time from a rested key`;
  const isPlans = rounds.every(({ atLimit }) => atLimit);
  const alike = Math.abs(one.answered - two.answered) <= 1;
  const flowsBack =
    rounds.every(({ back }) => back !== 'otherwise') &&
    rounds.some(({ back }) => back === 'fewer, as the rate gives');
  if (!isPlans && !(alike && flowsBack))
    return unproven({ ...fact, exchanges: cited }, `${MAY_BE_OUTAGE} Repeated, ${counts}.`);
  const why = isPlans
    ? 'That is the limit of the plan'
    : 'After a short rest as many requests were accepted as the rate of the plan gives back';
  return fail({
    ...fact,
    reasoning: `Repeated, ${counts}. ${why}, so it is the limit and no outage.`,
    exchanges: cited,
  });
}

const MAY_BE_OUTAGE =
  'The service may have been unavailable. A gateway that limits requests may answer so, too: nginx does, unless limit_req_status is 429.';

/** One repetition of the end of the quota, from a pause in which it came back; undefined where it did not end with such responses. */
function roundOf(exchanges: readonly Exchange[], limits: Limits) {
  const { afterRest } = unavailableAgain.steps;
  const own = exchanges.filter(({ probe }) => probe === 'unavailable-again');
  const sent = own.filter(({ step }) => step !== afterRest);
  const ended = sent.at(sent.findLastIndex((one) => !unavailable(one)) + 1);
  const [first] = sent;
  const counted = sent.filter(accepted);
  const last = counted.at(-1);
  if (first === undefined || ended === undefined || last === undefined) return undefined;
  if (!endsUnavailable(sent)) return undefined;
  const quota = minuteQuota(limits);
  const answered = counted.length;
  const flow = mostRefill(quota, ended.received.mono - first.sent.mono);
  return {
    answered,
    ended,
    /** Whether as many were accepted as the plan allows, and what flows back meanwhile. */
    atLimit: answered >= quota.limit - 1 && answered <= quota.limit + flow,
    back: givenBack(
      answered,
      last,
      own.filter(({ step }) => step === afterRest),
      limits,
    ),
  };
}

/** Compares what was accepted after a rest with a bucket at the rate of the plan that was empty but for a part of a request. */
function givenBack(
  answered: number,
  last: Exchange,
  after: readonly Exchange[],
  { perMinute, minuteSeconds }: Limits,
): 'otherwise' | 'as the rate gives' | 'fewer, as the rate gives' {
  const end = after.at(-1);
  if (end === undefined || !unavailable(end) || !after.slice(0, -1).every(accepted)) return 'otherwise';
  const perMs = perMinute / (minuteSeconds * 1000);
  const flowed = Math.floor(perMs * ((after[0] ?? end).sent.mono - last.received.mono));
  const least = Math.max(1, Math.min(flowed, answered) - 1);
  const most = Math.ceil(perMs * (end.received.mono - last.sent.mono)) + 1;
  const count = after.length - 1;
  if (count < least || count > most) return 'otherwise';
  return most < answered ? 'fewer, as the rate gives' : 'as the rate gives';
}

/** LIMIT-3: whether the request beyond the limit returns 429 and nothing else. */
export function limitsWith429(evidence: Evidence): Judgement {
  const use = evidence.fact(exhaustingUse);
  if (use === undefined) return inconclusive(evidence.whyNothing('preflight', 'exhaust-quota'));
  const beyond = otherwiseBeyondLimit(evidence);
  if (beyond !== undefined) return beyond;
  if (use.limited !== undefined)
    return pass('The request at which the quota ended returned 429.', [use.limited.exchange]);
  const expected = '429 beyond the limit';
  const disguised = limitedUnderOtherStatus(evidence, use);
  if (disguised !== undefined) {
    const received = `200 with a body that is not a list in ${exchangeName(disguised)}`;
    return fail({ expected, received, exchanges: [disguised] });
  }
  const other = otherStatus(evidence, use);
  if (other === undefined)
    return inconclusive(evidence.lacking('No request was rate-limited.', 'exhaust-quota'));
  const fact = { expected, received: receivedText(other.exchange), exchanges: [other.exchange] };
  return otherThan429(evidence, other, fact);
}

/** What a response that is neither success nor 429 proves at the end of the quota. */
function otherThan429(evidence: Evidence, { exchange, beyond }: OtherStatus, fact: ShownFact): Judgement {
  const lost = evidence.exchanges.some((one) => one.n < exchange.n && statusOf(one) === undefined);
  if (statusOf(exchange) === undefined && lost)
    return unproven(fact, 'Other responses of this run were lost, too, so it may be the network.');
  // A key without other clients, or one that worked again and was rejected at the same point each time, is no banned key.
  const mayBeBanned = !beyond || !(evidence.exclusive || workedLater(evidence, exchange));
  if (evidence.lost.has(exchange) && mayBeBanned)
    return unproven(fact, 'Every later request received the same, so the key may have been banned.');
  if (unavailable(exchange)) return whereUnavailable(evidence, exchange, fact);
  if (beyond) return ifNoBan(evidence, exchange, fail(fact));
  const beside = evidence.fact(circumstances)?.text;
  const reason = 'It came before the limit was reached, so it may have another reason.';
  return unproven(fact, beside === undefined ? reason : `${reason} ${beside}`);
}

const workedLater = (evidence: Evidence, { n }: Exchange): boolean =>
  evidence.by('key').some((one) => one.n > n && accepted(one));

/** A banned key returns 401 or 403, too, and another client may have caused the ban: only a repetition proves it. */
function ifNoBan(evidence: Evidence, exchange: Exchange, adverse: Adverse): Judgement {
  if (!isKeyRejected(exchange)) return adverse;
  const status = statusOf(exchange);
  const again = ({ series }: Use): number | undefined =>
    exchangesOf(series).some((one) => statusOf(one) === status) ? status : undefined;
  return ifRepeated(evidence, adverse, again);
}
