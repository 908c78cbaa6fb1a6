import { countOf } from '../../../../kernel/basics/text.ts';
import { firstFound } from '../../../../kernel/exchanges/collections.ts';
import { accepted, exchangeName, receivedText } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement, ShownFact } from '../../../../kernel/findings/judgement.ts';
import {
  fail,
  furtherReasoned,
  inconclusive,
  pass,
  unproven,
  warn,
} from '../../../../kernel/findings/judgement.ts';
import type { AnsweredBefore429, First429 } from '../../../../kernel/rate-limits/attribution.ts';
import { answeredBefore429, followsPause } from '../../../../kernel/rate-limits/attribution.ts';
import type { Overrun } from '../../../../kernel/rate-limits/bounds/one-reset.ts';
import { firstOverrun } from '../../../../kernel/rate-limits/bounds/overrun.ts';
import {
  mayBeUndercounted,
  parallelRequestsOf,
} from '../../../../kernel/rate-limits/bounds/parallel-requests.ts';
import { exchangesOf } from '../../../../kernel/rate-limits/series.ts';
import { waitScale, waitSeconds429 } from '../../../../kernel/rate-limits/waits.ts';
import { circumstances, pacedText } from '../../evidence/circumstances.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { answeredByCache, explainedByCost, ifOfMinute } from '../../evidence/repeated.ts';
import {
  exhaustingUse,
  furtherUses,
  inSecondWindow,
  miscounted,
  secondUse,
  sharedUse,
  showsMinute,
  unlessAnotherClient,
  uses,
} from '../../evidence/uses.ts';
import { paceAfterBurst } from '../../probes/paced-window.ts';
import type { Use } from '../../probes/recount.ts';
import { acceptedBeyondLimit, otherStatus, tooManyAccepted } from './beyond-the-limit.ts';

type LimitedUse = Use & { readonly limited: First429 };

const isLimited = (use: Use): use is LimitedUse => use.limited !== undefined;

/** LIMIT-1 in the second window of a thorough run as well: a limit may be enforced only once. */
function limitedInEach(use: LimitedUse, evidence: Evidence): Judgement {
  const first = limitedAfter(use, evidence);
  const second = secondUse(evidence);
  if (first.verdict !== 'pass' || second === undefined) return first;
  if (!isLimited(second)) {
    const sent = exchangesOf(second.series).filter(accepted);
    if (sent.length <= evidence.limits.perMinute) return first;
    const reason = `In the second window ${sent.length} requests were accepted, and none was rate-limited.`;
    return inconclusive(`${reason} ${first.checked}`, sent.slice(-1));
  }
  const again = limitedAfter(second, evidence);
  return again.verdict === 'pass'
    ? pass(`${first.checked} ${inSecondWindow(again.checked)}`, [...first.exchanges, ...again.exchanges])
    : again;
}

/** The first proof in any stretch that more was accepted than the plan allows; each bound is derived in `kernel/rate-limits/BOUNDS.md`. */
export function overran(evidence: Evidence): Overrun | undefined {
  return firstFound(evidence.fact(uses), ({ series, untouched }) =>
    untouched || !showsMinute(evidence) ? firstOverrun(series, evidence.limits) : undefined,
  );
}

export function limitsBeyondQuota(evidence: Evidence): Judgement {
  const over = evidence.fact(overran);
  if (over !== undefined)
    return furtherReasoned(tooManyAccepted(over, 'accepted requests'), evidence.fact(answeredByCache));
  const beyond = acceptedBeyondLimit(evidence);
  if (beyond !== undefined) return beyond;
  const use = evidence.fact(exhaustingUse);
  if (use !== undefined && isLimited(use)) return limitedInEach(use, evidence);
  const odd = use === undefined ? undefined : otherStatus(evidence, use);
  if (odd?.beyond === true)
    return pass(`The request beyond the limit was not accepted: it received ${receivedText(odd.exchange)}.`, [
      odd.exchange,
    ]);
  return inconclusive(
    evidence.lacking('No 429 response was received, and no bound was exceeded.', 'exhaust-quota'),
  );
}

/** How many requests preceded the first 429, and whether that is as many as the limit. */
function limitedAfter({ series, limited }: LimitedUse, evidence: Evidence): Judgement {
  const { exchange, before } = limited;
  const { quota } = evidence;
  const text = `After ${countOf(before.length, 'request')} the next one was rate-limited`;
  const more = `${text}: more than the limit of ${quota.limit}`;
  if (before.length <= quota.limit) return pass(`${text}.`, [exchange]);
  if (evidence.fact(miscounted) !== undefined || mayBeUndercounted(parallelRequestsOf(series, quota)))
    return inconclusive(`${more}, and not each request may have been counted once (RATE-7, LIMIT-6).`, [
      exchange,
    ]);
  return pass(
    `${text}: beyond ${quota.limit} no more than a conforming limiter can give back in that time.`,
    [exchange],
  );
}

export function acceptsWithin(evidence: Evidence): Judgement {
  const { limits } = evidence;
  const use = evidence.fact(exhaustingUse);
  const found = first429(evidence);
  if (found === undefined) {
    const sent = exchangesOf(use?.series ?? []).filter(accepted).length;
    if (sent >= limits.perMinute) return pass(`${sent} requests were accepted, and none was rate-limited.`);
    return inconclusive(
      evidence.lacking(
        `No 429 response was received, and too few requests were accepted (${sent}) to show that none is rate-limited within the limit.`,
        'exhaust-quota',
      ),
    );
  }
  const { exchange } = found.limited;
  const { answered, expected } = answeredOf(found, evidence);
  if (answered >= expected)
    return pass(`${answered} requests were answered before the first 429.`, [exchange]);
  const since = expected === limits.perMinute ? 'a full quota' : 'the last refill';
  const fact = {
    expected: `${expected} accepted requests from ${since}`,
    received: `429 after ${answered} in ${exchangeName(exchange)}`,
    exchanges: [found.first, exchange],
  };
  return early429(evidence, found, fact);
}

/** The first 429 of a stretch that began untouched, because only that one proves something; else the first one; of a further window, if only that one came too early. */
function first429(evidence: Evidence): LimitedUse | undefined {
  const firsts = evidence.fact(uses).filter(isLimited);
  const first = firsts.find(({ untouched }) => untouched) ?? firsts[0];
  const isEarly = (use: LimitedUse): boolean => {
    const { answered, expected } = answeredOf(use, evidence);
    return answered < expected;
  };
  if (first === undefined || isEarly(first)) return first;
  const further = furtherUses(evidence).filter(isLimited);
  return further.find((one) => one.untouched && isEarly(one)) ?? first;
}

/** Why requests at the pace of the plan left an early 429 open, in one sentence. */
const TOO_FEW_PACED =
  'No request at the pace of the plan got 429, but too few were accepted, because the target was slow or did not respond: it may allow smaller bursts.';

function early429(evidence: Evidence, use: LimitedUse, fact: ShownFact): Judgement {
  const { exchange } = use.limited;
  const scale = waitScale(exchange, evidence.limits);
  const paced = scale === 'longer' ? pacedText(evidence) : undefined;
  if (scale === 'longer' && paced === undefined) {
    const wait = waitSeconds429(exchange);
    const reason = `The 429 announces a wait of ${wait} s, longer than the window, so a day, a ban or a penalty may be the reason.`;
    return unproven(fact, reason);
  }
  if (evidence.fact(sharedUse) !== undefined)
    return unlessAnotherClient(evidence, fail(fact), 'Another client may be using this key.');
  if (paced !== undefined) return warn({ ...fact, reasoning: `The service allows smaller bursts. ${paced}` });
  if (!use.untouched) return unproven(fact, 'Nothing shows that the quota was full before.');
  const beside = evidence.fact(circumstances);
  if (scale === 'next request') {
    const reasoning =
      beside?.text ??
      'The announced wait is so short that the service may allow smaller bursts and still keep the rate per minute.';
    return warn({ ...fact, reasoning });
  }
  if (beside?.only === 'in flight') return warn({ ...fact, reasoning: beside.text });
  const pace = paceAfterBurst(evidence.exchanges, evidence.limits);
  if (pace !== 'nothing' && evidence.fact(miscounted) === undefined) {
    if (pace === 'too few') return unproven(fact, TOO_FEW_PACED);
    return warn({ ...fact, reasoning: `The service allows smaller bursts. ${pacedText(evidence)}` });
  }
  const adverse = fail(fact);
  return explainedByCost(evidence) ? adverse : ifOfMinute(evidence, adverse, earlyAfter(evidence));
}

/** Under a miscount a jump of Remaining does not show a new window. */
function answeredOf({ series, limited }: LimitedUse, evidence: Evidence): AnsweredBefore429 {
  const { limits, quota } = evidence;
  return evidence.fact(miscounted) === undefined
    ? answeredBefore429(series, limited, quota)
    : { answered: limited.before.length, expected: limits.perMinute };
}

/** How many requests were answered before a 429 about the window that came too early. */
const earlyAfter =
  (evidence: Evidence) =>
  (use: Use): number | undefined => {
    if (!isLimited(use) || followsPause(use.limited, evidence.quota)) return undefined;
    const { answered, expected } = answeredOf(use, evidence);
    const early = answered < expected && waitScale(use.limited.exchange, evidence.limits) === 'window';
    return early ? answered : undefined;
  };
