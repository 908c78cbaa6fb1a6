import { completeText } from '../../../exchanges/body.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName, receivedText } from '../../../exchanges/exchange-text.ts';
import { answerOf, statusOf } from '../../../exchanges/headers.ts';
import { accepted, isKeyRejected, isRateLimited, unavailable } from '../../../exchanges/outcome-kinds.ts';
import type { AnsweredBefore429, First429 } from '../../../rate-limits/attribution/early-429.ts';
import { answeredBefore429, followsPause } from '../../../rate-limits/attribution/early-429.ts';
import type { Overrun } from '../../../rate-limits/bounds/accepted-bound.ts';
import { firstOverrun } from '../../../rate-limits/bounds/overrun.ts';
import { mayBeUndercounted, parallelRequestsOf } from '../../../rate-limits/bounds/parallel-undercount.ts';
import { minuteQuota } from '../../../rate-limits/quota.ts';
import { surelyCounts } from '../../../rate-limits/series/keyed-requests.ts';
import { readingOf } from '../../../rate-limits/series/reading.ts';
import type { Series } from '../../../rate-limits/series/series.ts';
import { waitScale, waitSeconds429 } from '../../../rate-limits/wait-scale.ts';
import { countOf, secondsText } from '../../../words/text.ts';
import { perhapsAnotherClient, sharedUse } from '../../evidence/another-client.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { notEarlierText } from '../../evidence/further-windows.ts';
import type { AdverseJudgement, Judgement, Shown } from '../../evidence/judgement.ts';
import { fail, inconclusive, pass, unproven, warn } from '../../evidence/judgement.ts';
import { pacedText } from '../../evidence/kept-pace.ts';
import { miscounted } from '../../evidence/miscounted.ts';
import { explainedByCost, ifRepeated } from '../../evidence/repeated.ts';
import { exhaustingUse, showsMinute, uses } from '../../evidence/uses.ts';
import type { Fact } from '../../model/finding-text.ts';
import { factText } from '../../model/finding-text.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';
import { preflight } from '../../probes/preflight.ts';
import { isOpenCreation } from '../../probes/quota-tail.ts';
import type { Use } from '../../probes/uses.ts';
import { acceptedBeyondLimit, otherwiseBeyondLimit } from './beyond-the-limit.ts';
import type { LimitedUse } from './further-windows.ts';
import { limitedAgain, limitedInFurtherWindow, limitedUsesOf } from './further-windows.ts';

/** The first proof in any stretch that more was accepted than the plan allows; each bound is derived in `rate-limits/BOUNDS.md`. */
export function overran(evidence: Evidence): Overrun | undefined {
  const { limits } = evidence.run;
  for (const { series, untouched } of evidence.fact(uses)) {
    const found = untouched || !showsMinute(evidence) ? firstOverrun(series, limits) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** LIMIT-1: whether requests beyond the limit are rate-limited. */
export function limitsBeyondQuota(evidence: Evidence): Judgement {
  const over = evidence.fact(overran);
  if (over !== undefined) {
    return fail(
      {
        expected: `at most ${over.allowed} accepted requests in ${secondsText(over.milliseconds)}`,
        received: `${over.accepted}, the last one in ${exchangeName(over.last)}`,
      },
      [over.last],
    );
  }
  const beyond = acceptedBeyondLimit(evidence);
  if (beyond !== undefined) return beyond;
  const use = evidence.fact(exhaustingUse);
  if (use?.limited !== undefined) {
    const first = limitedAfter(use, use.limited, evidence);
    return limitedAgain(first, evidence, limitedAfter);
  }
  const odd = use === undefined ? undefined : otherStatus(evidence, use);
  if (odd?.beyond === true)
    return pass(`The request beyond the limit was not accepted: it received ${receivedText(odd.exchange)}.`, [
      odd.exchange,
    ]);
  return inconclusive(
    evidence.lacking('No 429 response was received, and no bound was exceeded.', exhaustQuota),
  );
}

/** How many requests preceded the first 429, and whether that is as many as the limit. */
function limitedAfter({ series }: Use, { exchange, before }: First429, evidence: Evidence): Judgement {
  const quota = minuteQuota(evidence.run.limits);
  const text = `After ${countOf(before.length, 'request')} the next one was rate-limited`;
  if (before.length <= quota.limit) return pass(`${text}.`, [exchange]);
  if (evidence.fact(miscounted) !== undefined)
    return inconclusive(
      `${text}: more than the limit of ${quota.limit}, but Remaining is not one count (see RATE-7).`,
      [exchange],
    );
  if (mayBeUndercounted(parallelRequestsOf(series, quota)))
    return inconclusive(
      `${text}: more than the limit of ${quota.limit}, and requests sent at the same time may not all have been counted (see LIMIT-6).`,
      [exchange],
    );
  return pass(
    `${text}: beyond ${quota.limit} no more than a conforming limiter can give back in that time.`,
    [exchange],
  );
}

/** LIMIT-2: whether requests within the limit are accepted. */
export function acceptsWithin(evidence: Evidence): Judgement {
  const { limits } = evidence.run;
  const use = evidence.fact(exhaustingUse);
  const found = first429(evidence);
  if (found === undefined) {
    const sent = use?.series.flatMap(({ exchanges }) => exchanges).filter(accepted).length ?? 0;
    if (sent >= limits.perMinute) return pass(`${sent} requests were accepted, and none was rate-limited.`);
    return evidence.fact(overran) === undefined
      ? inconclusive(
          evidence.lacking(
            `No 429 response was received, and too few requests were accepted (${sent}) to show that none is rate-limited within the limit.`,
            exhaustQuota,
          ),
        )
      : inconclusive(
          'No request was rate-limited, because the service accepts more than the limit allows (see LIMIT-1).',
        );
  }
  const { limited, use: limitedUse } = found;
  const { exchange } = limited;
  const { answered, expected } = answeredOf(limitedUse, limited, evidence);
  if (answered >= expected)
    return pass(`${answered} requests were answered before the first 429${notEarlierText(evidence)}.`, [
      exchange,
    ]);
  const since = expected === limits.perMinute ? 'a full quota' : 'the last refill';
  const fact = {
    expected: `${expected} accepted requests from ${since}`,
    received: `429 after ${answered} in ${exchangeName(exchange)}`,
  };
  return early429(evidence, limitedUse, exchange, fact);
}

/** The first 429 of a stretch that began untouched, because only that one proves something; else the first one; of a further window, if only that one came too early. */
function first429(evidence: Evidence): LimitedUse | undefined {
  const firsts = limitedUsesOf(evidence.fact(uses));
  const first = firsts.find(({ use }) => use.untouched) ?? firsts[0];
  const isEarly = ({ use, limited }: LimitedUse): boolean => {
    const { answered, expected } = answeredOf(use, limited, evidence);
    return answered < expected;
  };
  return first === undefined || isEarly(first) ? first : (limitedInFurtherWindow(evidence, isEarly) ?? first);
}

/** What a 429 before the end of the quota proves. */
function early429(evidence: Evidence, use: Use, exchange: Exchange, fact: Fact): Judgement {
  const exchanges = [use.first, exchange];
  if (evidence.fact(sharedUse) !== undefined) {
    return perhapsAnotherClient(`${factText(fact)} Another client may be using this key.`, exchanges);
  }
  const scale = waitScale(exchange, evidence.run.limits);
  if (scale === 'longer') {
    const paced = pacedText(evidence);
    if (paced !== undefined)
      return warn({ ...fact, reasoning: `The service allows smaller bursts. ${paced}` }, exchanges);
    const wait = waitSeconds429(exchange);
    const reason = `The 429 announces a wait of ${wait} s, longer than the window, so a day, a ban or a penalty is the reason.`;
    return unproven(fact, reason, exchanges);
  }
  if (!use.untouched) return unproven(fact, 'Nothing shows that the quota was full before.', exchanges);
  if (scale === 'next request') {
    const reasoning =
      'The announced wait is so short that the service may allow smaller bursts and still keep the rate per minute.';
    return warn({ ...fact, reasoning }, exchanges);
  }
  const unauthenticated =
    evidence.fact(miscounted)?.explanation.kind === 'requests without the key are counted';
  const adverse = fail(
    unauthenticated ? { ...fact, reasoning: 'Requests without the key were counted, too (RATE-7).' } : fact,
    exchanges,
  );
  return explainedByCost(evidence) ? adverse : ifRepeated(evidence, adverse, earlyAfter(evidence));
}

/** Under a miscount a jump of Remaining does not show a new window. */
function answeredOf({ series }: Use, limited: First429, evidence: Evidence): AnsweredBefore429 {
  const { limits } = evidence.run;
  return evidence.fact(miscounted) === undefined
    ? answeredBefore429(series, limited, minuteQuota(limits))
    : { answered: limited.before.length, expected: limits.perMinute };
}

/** How many requests were answered before a 429 about the window that came too early. */
const earlyAfter =
  (evidence: Evidence) =>
  (use: Use): number | undefined => {
    if (use.limited === undefined || followsPause(use.limited, minuteQuota(evidence.run.limits)))
      return undefined;
    const { answered, expected } = answeredOf(use, use.limited, evidence);
    const early = answered < expected && waitScale(use.limited.exchange, evidence.run.limits) === 'window';
    return early ? answered : undefined;
  };

/** A response that is neither success nor 429 while the quota is exhausted, and whether it came beyond the limit. */
interface OtherStatus {
  readonly exchange: Exchange;
  readonly beyond: boolean;
}

function otherStatus(evidence: Evidence, { series }: Use): OtherStatus | undefined {
  const exchanges = aboutTheLimit(series);
  const index = exchanges.findIndex(
    (exchange, i) =>
      exchange.probe === exhaustQuota.id && limitsWithOtherStatus(exchange, exchanges.slice(i + 1)),
  );
  const exchange = exchanges[index];
  if (exchange === undefined) return undefined;
  const before = exchanges.slice(0, index);
  // A limiter may give back what a rejected creation took, after its response.
  const last = before
    .filter(surelyCounts)
    .map(readingOf)
    .findLast((reading) => reading !== undefined);
  const { perMinute } = evidence.run.limits;
  const noneLeft = last?.limit === perMinute && last.remaining === 0;
  return {
    exchange,
    beyond: noneLeft || before.filter(accepted).length >= perMinute || before.length === perMinute,
  };
}

/** The requests of a series without creations that show nothing about the limit. */
const aboutTheLimit = (series: Series): readonly Exchange[] =>
  series.flatMap(({ exchanges }) => exchanges.filter((exchange) => !isOpenCreation(exchange)));

/** Requests in a row without a response, or answered 503, after which the network is no longer the likely reason. */
const MOST_WITHOUT_RESPONSE = 3;

/** Neither success nor 429. Without a response, or with 503, only if the next ones are the same: single requests may be lost, and a gateway may lose its service for a moment. */
function limitsWithOtherStatus(exchange: Exchange, later: readonly Exchange[]): boolean {
  if (accepted(exchange) || isRateLimited(exchange)) return false;
  if (statusOf(exchange) !== undefined && !unavailable(exchange)) return true;
  const next = later
    .filter((one) => one.sent.mono >= exchange.received.mono)
    .slice(0, MOST_WITHOUT_RESPONSE - 1);
  return (
    next.length === MOST_WITHOUT_RESPONSE - 1 && next.every((one) => statusOf(one) === statusOf(exchange))
  );
}

/** LIMIT-3: whether the request beyond the limit is answered 429 and nothing else. */
export function limitsWith429(evidence: Evidence): Judgement {
  const use = evidence.fact(exhaustingUse);
  if (use === undefined) return inconclusive(evidence.whyNothing(preflight, exhaustQuota));
  const beyond = otherwiseBeyondLimit(evidence);
  if (beyond !== undefined) return beyond;
  if (use.limited !== undefined)
    return pass('The request at which the quota ended was answered 429.', [use.limited.exchange]);
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
  const lost = evidence.exchanges.some((one) => one.n < exchange.n && statusOf(one) === undefined);
  if (statusOf(exchange) === undefined && lost)
    return unproven(fact, 'Other responses of this run were lost, too, so it may be the network.', [
      exchange,
    ]);
  if (evidence.lost.has(exchange))
    return unproven(fact, 'Every later request received the same, so the key may have been banned.', [
      exchange,
    ]);
  if (beyond) return ifNoBan(evidence, exchange, fail(fact, [exchange]));
  const gateway = unavailable(exchange)
    ? ' A gateway that limits requests may answer so: nginx does, unless limit_req_status is 429.'
    : '';
  return unproven(fact, `It came before the limit was reached, so it may have another reason.${gateway}`, [
    exchange,
  ]);
}

/** A banned key is answered 401 or 403, too, and another client may have caused the ban: only a repetition proves it. */
function ifNoBan(evidence: Evidence, exchange: Exchange, adverse: AdverseJudgement & Shown): Judgement {
  if (!isKeyRejected(exchange)) return adverse;
  const status = statusOf(exchange);
  const again = ({ series }: Use): number | undefined =>
    series.some(({ exchanges }) => exchanges.some((one) => statusOf(one) === status)) ? status : undefined;
  return ifRepeated(evidence, adverse, again);
}

/** A 200 whose body is not a list although the quota was exhausted. */
function limitedUnderOtherStatus({ run }: Evidence, { series }: Use): Exchange | undefined {
  const exchanges = aboutTheLimit(series);
  return exchanges.find((exchange, i) => {
    const answer = answerOf(exchange);
    if (exchange.probe !== exhaustQuota.id || answer?.status !== 200) return false;
    const text = completeText(answer)?.trimStart();
    const reading = exchanges
      .slice(0, i)
      .map(readingOf)
      .findLast((one) => one !== undefined);
    const exhausted =
      (reading?.limit === run.limits.perMinute && reading.remaining === 0) || i >= run.limits.perMinute;
    return exchange.request.method === 'GET' && exhausted && text !== undefined && !text.startsWith('[');
  });
}
