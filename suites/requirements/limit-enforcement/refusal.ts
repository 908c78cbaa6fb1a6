import { wholeText } from '../../../exchanges/body.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName, outcomeText } from '../../../exchanges/exchange-text.ts';
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
import { waitScale, waitSeconds429 } from '../../../rate-limits/wait-scale.ts';
import { countOf, secondsText } from '../../../words/text.ts';
import { perhapsAnotherClient, sharedUse } from '../../evidence/another-client.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { fail, inconclusive, pass, warn } from '../../evidence/judgement.ts';
import { miscounted } from '../../evidence/miscounted.ts';
import { explainedByCost, ifRepeated } from '../../evidence/repeated.ts';
import { drained, showsMinute, uses } from '../../evidence/uses.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';
import { preflight } from '../../probes/preflight.ts';
import type { Use } from '../../probes/uses.ts';

/** The first proof in any stretch that more was accepted than the plan allows; each bound is derived in `rate-limits/BOUNDS.md`. */
export function overran(evidence: Evidence): Overrun | undefined {
  const { limits } = evidence.run;
  for (const { series, untouched } of evidence.fact(uses)) {
    const found = untouched || !showsMinute(evidence) ? firstOverrun(series, limits) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

export function limitsBeyondQuota(evidence: Evidence): Judgement {
  const over = evidence.fact(overran);
  if (over !== undefined) {
    return fail(
      `Expected at most ${over.allowed} accepted requests in ${secondsText(over.milliseconds)}, but ${over.accepted} were accepted, the last one in ${exchangeName(over.last)}.`,
      [over.last],
    );
  }
  const use = evidence.fact(drained);
  if (use?.limited !== undefined) {
    return limitedAfter(use, use.limited, evidence);
  }
  const odd = use === undefined ? undefined : otherStatus(evidence, use);
  if (odd?.beyond === true)
    return pass(
      `The request beyond the limit was not accepted: ${exchangeName(odd.exchange)} ${outcomeText(odd.exchange)}.`,
      [odd.exchange],
    );
  return inconclusive(evidence.lacking('No refusal was seen, and no bound was exceeded.', exhaustQuota));
}

/** How many requests preceded the first 429, and whether that is as many as the limit. */
function limitedAfter({ series }: Use, { exchange, before }: First429, evidence: Evidence): Judgement {
  const quota = minuteQuota(evidence.run.limits);
  const text = `After ${countOf(before.length, 'request')} the next one was rate-limited`;
  if (before.length <= quota.limit) return pass(`${text}.`, [exchange]);
  if (evidence.fact(miscounted) !== undefined)
    return inconclusive(
      `${text}: more than the limit of ${quota.limit}, but Remaining is not one count (RATE-7 says why).`,
      [exchange],
    );
  if (mayBeUndercounted(parallelRequestsOf(series, quota)))
    return inconclusive(
      `${text}: more than the limit of ${quota.limit}, and requests sent at the same time were perhaps not all counted (LIMIT-6).`,
      [exchange],
    );
  return pass(`${text}: no more beyond ${quota.limit} than a conforming limiter can give back meanwhile.`, [
    exchange,
  ]);
}

export function acceptsWithin(evidence: Evidence): Judgement {
  const { limits } = evidence.run;
  const use = evidence.fact(drained);
  const found = first429(evidence);
  if (found === undefined) {
    const sent = use?.series.flatMap(({ exchanges }) => exchanges).filter(accepted).length ?? 0;
    if (sent >= limits.perMinute) return pass(`${sent} requests were accepted, and none was rate-limited.`);
    return evidence.fact(overran) === undefined
      ? inconclusive(
          evidence.lacking(
            `No 429 was seen, and too few requests were accepted (${sent}) to show that none is refused within the limit.`,
            exhaustQuota,
          ),
        )
      : inconclusive('Nothing was refused, as more is accepted than the limit allows (LIMIT-1).');
  }
  const { limited, use: refusedUse } = found;
  const { exchange } = limited;
  const { answered, expected } = answeredOf(refusedUse, limited, evidence);
  if (answered >= expected)
    return pass(`${answered} requests were answered before the first 429.`, [exchange]);
  const since = expected === limits.perMinute ? 'an untouched limit' : 'what the last refill brought';
  const text = `Expected ${expected} requests from ${since}, but ${exchangeName(exchange)} was refused after ${answered}.`;
  return early429(evidence, refusedUse, exchange, text);
}

/** The first 429 of a stretch that began untouched, because only that one proves something; else the first one. */
function first429(evidence: Evidence) {
  const limitedExchanges = evidence
    .fact(uses)
    .flatMap((use) => (use.limited === undefined ? [] : [{ use, limited: use.limited }]));
  return limitedExchanges.find(({ use }) => use.untouched) ?? limitedExchanges[0];
}

function early429(evidence: Evidence, use: Use, exchange: Exchange, text: string): Judgement {
  const cited = [use.first, exchange];
  if (evidence.fact(sharedUse) !== undefined) {
    return perhapsAnotherClient(`${text} Another client may be using this key.`, cited);
  }
  const scale = waitScale(exchange, evidence.run.limits);
  if (scale === 'longer') {
    return inconclusive(
      `${text} The wait it asks for (${waitSeconds429(exchange)} s) is longer than the window, so a day, a ban or a penalty is the reason.`,
      cited,
    );
  }
  if (!use.untouched)
    return inconclusive(`${text} Nothing shows that the limit was untouched before.`, cited);
  if (scale === 'next request') {
    return warn(
      `${text} Its wait is so short that a smaller burst may be allowed while the rate for each minute is kept.`,
      cited,
    );
  }
  const unauthenticated =
    evidence.fact(miscounted)?.explanation.kind === 'requests without the key are counted';
  const accusation = fail(
    unauthenticated ? `${text} Requests without the key were counted, too (RATE-7).` : text,
    cited,
  );
  return explainedByCost(evidence) ? accusation : ifRepeated(evidence, accusation, earlyAfter(evidence));
}

/** Under a miscount jumps are no turns of a window. */
function answeredOf({ series }: Use, limited: First429, evidence: Evidence): AnsweredBefore429 {
  const { limits } = evidence.run;
  return evidence.fact(miscounted) === undefined
    ? answeredBefore429(series, limited, minuteQuota(limits))
    : { answered: limited.before.length, expected: limits.perMinute };
}

/** How many requests were answered before a refusal about the window that came too early. */
const earlyAfter =
  (evidence: Evidence) =>
  (use: Use): number | undefined => {
    if (use.limited === undefined || followsPause(use.limited, minuteQuota(evidence.run.limits)))
      return undefined;
    const { answered, expected } = answeredOf(use, use.limited, evidence);
    const early = answered < expected && waitScale(use.limited.exchange, evidence.run.limits) === 'window';
    return early ? answered : undefined;
  };

/** A keyed answer of the drain that is neither success nor 429, and whether it came beyond the limit. */
function otherStatus(evidence: Evidence, { series }: Use) {
  const exchanges = series.flatMap(({ exchanges }) => exchanges);
  const index = exchanges.findIndex(
    (exchange, i) =>
      exchange.probe === exhaustQuota.id && limitsWithOtherStatus(exchange, exchanges.slice(i + 1)),
  );
  const exchange = exchanges[index];
  if (exchange === undefined) return undefined;
  const before = exchanges.slice(0, index);
  // What the answer to a refused creation says may be given back after it.
  const last = before
    .filter(surelyCounts)
    .map(readingOf)
    .findLast((reading) => reading !== undefined);
  const { perMinute } = evidence.run.limits;
  const promised = last?.limit === perMinute && last.remaining === 0;
  return {
    exchange,
    beyond: promised || before.filter(accepted).length >= perMinute || before.length === perMinute,
  };
}

/** Requests in a row without an answer, or answered 503, that are nobody's doing but the target's. */
const MOST_WITHOUT_RESPONSE = 3;

/** Neither success nor 429; without an answer, or a 503, only if the next ones are alike, because some may be lost on their way and a gateway may be alone for a moment. */
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

export function limitsWith429(evidence: Evidence): Judgement {
  const use = evidence.fact(drained);
  if (use === undefined) return inconclusive(evidence.whyNothing(preflight, exhaustQuota));
  if (use.limited !== undefined)
    return pass('The request at which the limit ended was answered 429.', [use.limited.exchange]);
  const disguised = limitedUnderOtherStatus(evidence, use);
  if (disguised !== undefined) {
    return fail(
      `Expected 429 beyond the limit, but ${exchangeName(disguised)} answered 200 with something that is no list.`,
      [disguised],
    );
  }
  const odd = otherStatus(evidence, use);
  if (odd === undefined) return inconclusive(evidence.lacking('No request was refused.', exhaustQuota));
  const text = `Expected 429 beyond the limit, but ${exchangeName(odd.exchange)} ${outcomeText(odd.exchange)}.`;
  const lost = evidence.exchanges.some((one) => one.n < odd.exchange.n && statusOf(one) === undefined);
  if (statusOf(odd.exchange) === undefined && lost)
    return inconclusive(`${text} Other answers of this run were lost, too, so it may be the network.`, [
      odd.exchange,
    ]);
  if (evidence.lost.has(odd.exchange))
    return inconclusive(`${text} So did every request after it, so the key may have been banned.`, [
      odd.exchange,
    ]);
  if (odd.beyond) return ifNoBan(evidence, odd.exchange, fail(text, [odd.exchange]));
  const gateway = unavailable(odd.exchange)
    ? ' A gateway that limits by itself may say so: nginx does, unless limit_req_status is 429.'
    : '';
  return inconclusive(
    `${text} It came before the limit was reached, so it may have another reason.${gateway}`,
    [odd.exchange],
  );
}

/** A key that another client got banned is answered 401 or 403, too: only what happens again is the target's way to refuse. */
function ifNoBan(evidence: Evidence, exchange: Exchange, accusation: Judgement): Judgement {
  if (!isKeyRejected(exchange)) return accusation;
  const status = statusOf(exchange);
  const again = ({ series }: Use): number | undefined =>
    series.some(({ exchanges }) => exchanges.some((one) => statusOf(one) === status)) ? status : undefined;
  return ifRepeated(evidence, accusation, again);
}

/** A 200 in the drain whose body is no list, when nothing was left. */
function limitedUnderOtherStatus({ run }: Evidence, { series }: Use): Exchange | undefined {
  const exchanges = series.flatMap(({ exchanges }) => exchanges);
  return exchanges.find((exchange, i) => {
    const answer = answerOf(exchange);
    if (exchange.probe !== exhaustQuota.id || answer?.status !== 200) return false;
    const text = wholeText(answer)?.trimStart();
    const reading = exchanges
      .slice(0, i)
      .map(readingOf)
      .findLast((one) => one !== undefined);
    const exhausted =
      (reading?.limit === run.limits.perMinute && reading.remaining === 0) || i >= run.limits.perMinute;
    return exchange.request.method === 'GET' && exhausted && text !== undefined && !text.startsWith('[');
  });
}
