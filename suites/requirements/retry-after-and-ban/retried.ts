import type { Exchange } from '../../../exchanges/exchange.ts';
import { statusOf } from '../../../exchanges/headers.ts';
import type { ApparentUnit } from '../../../rate-limits/refusals.ts';
import { accepted, isKeyRejected, isRateLimited, ofKey, stepsOf } from '../../../rate-limits/series.ts';
import { perhapsAnotherClient, takenByOthers } from '../../evidence/another-client.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { fail, inconclusive, pass, unproven, warn } from '../../evidence/judgement.ts';
import type { NeverAgain } from '../../evidence/never-again.ts';
import { neverAgain } from '../../evidence/never-again.ts';
import { exchangeName, receivedText, secondsText } from '../../evidence/quote.ts';
import { ifRepeated } from '../../evidence/repeated.ts';
import { exhaustingUse, uses } from '../../evidence/uses.ts';
import type { Fact } from '../../model/finding-text.ts';
import { capitalized, factText } from '../../model/finding-text.ts';
import { AT_ONCE } from '../../probes/creations.ts';
import { EXHAUST_STEPS, exhaustQuota } from '../../probes/exhaust-quota.ts';
import { recovery } from '../../probes/recovery.ts';
import type { Use } from '../../probes/uses.ts';
import { unitOf, waitOf } from './wait.ts';

/** RETRY-3, whether a request after Retry-After is accepted, and RETRY-4, whether the wait is exact to the second. */
export interface Retried {
  readonly obeyed: Judgement;
  readonly exact: Judgement;
}

const both = (judgement: Judgement): Retried => ({ obeyed: judgement, exact: judgement });

/** RETRY-4 where RETRY-3 is violated. */
const notOnlyRounding = (exchanges: readonly Exchange[]): Judgement =>
  inconclusive('Retry-After is wrong by more than rounding (see RETRY-3).', exchanges);

/** What came of waiting as announced, and of every repetition where that was in vain. */
export function retried(evidence: Evidence): Retried {
  const limited = evidence.fact(exhaustingUse)?.limited?.exchange;
  if (limited === undefined)
    return both(inconclusive(evidence.lacking('No 429 response was received.', exhaustQuota)));
  const never = evidence.fact(neverAgain);
  if (never !== undefined) return neverAccepted(never);
  const { obeyed, exact } = retriedAfter(limited, evidence);
  if (obeyed.verdict !== 'fail') return { obeyed, exact };
  const inVain = (use: Use): number | undefined => {
    const again = use.limited === undefined ? undefined : retriedAfter(use.limited.exchange, evidence);
    return again?.obeyed.verdict === 'fail' ? 1 : undefined;
  };
  return {
    obeyed: ifRepeated(evidence, obeyed, inVain),
    exact: exact.verdict === 'fail' ? ifRepeated(evidence, exact, inVain) : exact,
  };
}

/** The key waited as announced every time, and was rate-limited every time. */
function neverAccepted({ first, later }: NeverAgain): Retried {
  const span = (later.at(-1)?.sent.mono ?? 0) - first.received.mono;
  const exchanges = [first, ...later];
  return {
    obeyed: fail(
      {
        expected: 'a request after Retry-After to be accepted',
        received: `429 in ${later.map(exchangeName).join(', ')}`,
        reasoning: `Each of them was sent after the wait that the 429 before it announced, over ${secondsText(span)}. Until the first 429 (${exchangeName(first)}) Remaining fell by this run's own requests alone, so no other client was using the key then. A client that began at that moment would have to exhaust the quota within a second of each of these instants (--exclusive-key rules it out).`,
      },
      exchanges,
    ),
    exact: notOnlyRounding(exchanges),
  };
}

/** The 429, the request after its Retry-After, and the one after that if it received a 429, too. */
function retriedAfter(limited: Exchange, evidence: Evidence): Retried {
  // A presentation of the key that the specification leaves open counts as the key's only where it is accepted.
  const keyed = ofKey(evidence.exchanges).filter(
    (exchange) => exchange.caller === 'key' || accepted(exchange),
  );
  const steps = stepsOf(keyed.filter((exchange) => exchange.sent.mono > limited.sent.mono));
  const later = steps
    .flatMap(({ exchanges }) => exchanges)
    .filter((exchange) => exchange.sent.mono >= limited.received.mono && !sentAlong(limited, exchange));
  const [first, second] = later;
  const wait = waitOf(limited);
  if (wait === undefined)
    return both(inconclusive(`The 429 in ${exchangeName(limited)} has no usable Retry-After.`, [limited]));
  if (first === undefined) return both(inconclusive(evidence.whyNothing(recovery), [limited]));
  const unit = unitOf(limited);
  if (unit !== undefined) return both(inUnit(limited, first, unit));
  if (first.sent.mono < limited.received.mono + wait * 1000) {
    return both(
      inconclusive(`${exchangeName(first)} was sent before Retry-After had passed.`, [limited, first]),
    );
  }
  if (!isRateLimited(first)) return notLimited(evidence, limited, first, wait);
  if (takenByOthers(evidence, limited)) {
    const fact = retriedFact(wait, receivedText(first));
    const doubt = 'Another client may be using this key and may have exhausted the quota meanwhile.';
    return both(perhapsAnotherClient(`${factText(fact)} ${doubt}`, [limited, first]));
  }
  return limitedAgain(limited, first, second, wait);
}

const retriedFact = (wait: number, received: string): Fact => ({
  expected: `no 429 to a request after Retry-After (${wait} s)`,
  received,
});

/**
 * What can be judged of a wait that seems to be in another unit than seconds.
 * A request that is accepted after the wait in that unit is early in seconds,
 * so both readings allow it. One that receives a 429 waited long enough in one
 * of two readings only.
 */
function inUnit(limited: Exchange, first: Exchange, { name: unit, seconds: wait }: ApparentUnit): Judgement {
  const cited = [limited, first];
  const later = secondsText(first.sent.mono - limited.received.mono);
  const text = `Retry-After in ${exchangeName(limited)} looks like ${unit} (see RETRY-2)`;
  if (first.sent.mono < limited.received.mono + wait * 1000)
    return inconclusive(
      `${text}. ${capitalized(exchangeName(first))} was sent ${later} later, before that wait was over.`,
      cited,
    );
  return accepted(first)
    ? pass(
        `${text}. In that unit the wait is right: ${exchangeName(first)} was accepted ${later} later.`,
        cited,
      )
    : inconclusive(
        `${text}. A request ${later} later received ${receivedText(first)}, but in seconds the wait was not over.`,
        cited,
      );
}

/** A request of the same burst: it may be sent after the first 429 came, and is no retry. */
const sentAlong = (limited: Exchange, { probe, step }: Exchange): boolean =>
  limited.probe === probe && limited.step === step && (step === EXHAUST_STEPS.many || step === AT_ONCE);

function notLimited(evidence: Evidence, limited: Exchange, first: Exchange, wait: number): Retried {
  const cited = [limited, first];
  if (isKeyRejected(first)) return both(bannedThen(evidence, limited, first, wait));
  if (statusOf(first) === undefined)
    return both(inconclusive(`The request after Retry-After received ${receivedText(first)}.`, cited));
  const obeyed = pass(
    `After ${wait} s, as Retry-After announced, ${exchangeName(first)} was not rate-limited again.`,
    cited,
  );
  return { obeyed, exact: wait === 0 ? (retriedLate(limited, first) ?? obeyed) : obeyed };
}

/** A wait that was truncated by as much would not show in a request that comes this much later, in milliseconds. */
const MOST_OF_A_SECOND = 500;

/** A wait of 0 s is right where the 429 itself was delayed as long, or where a request right after it is accepted. */
function retriedLate(limited: Exchange, first: Exchange): Judgement | undefined {
  const held = limited.received.mono - limited.sent.mono;
  const later = first.sent.mono - limited.received.mono;
  if (held >= MOST_OF_A_SECOND || later < MOST_OF_A_SECOND) return undefined;
  return inconclusive(
    `${exchangeName(limited)} was answered 429 at once with Retry-After 0, and ${exchangeName(first)} was sent ${secondsText(later)} later, so a wait that was rounded down from less than a second would not show.`,
    [limited, first],
  );
}

/** The specification allows a ban for a client that keeps sending, not for one that waits as announced. */
function bannedThen(evidence: Evidence, limited: Exchange, first: Exchange, wait: number): Judgement {
  const cited = [limited, first];
  const fact = retriedFact(wait, receivedText(first));
  if (takenByOthers(evidence, limited))
    return perhapsAnotherClient(
      `${factText(fact)} Another client may be using this key and may have caused a ban.`,
      cited,
    );
  return alone(limited, evidence)
    ? fail(fact, cited)
    : unproven(fact, 'Several requests were beyond the limit at the same time, so it may be a ban.', cited);
}

/** Whether no other request was beyond the limit in this stretch of use: a client that keeps sending may be banned. */
const alone = (limited: Exchange, evidence: Evidence): boolean =>
  evidence
    .fact(uses)
    .filter(({ series }) => series.some(({ exchanges }) => exchanges.includes(limited)))
    .every(({ series }) => series.flatMap(({ exchanges }) => exchanges.filter(isRateLimited)).length === 1);

function limitedAgain(
  limited: Exchange,
  first: Exchange,
  second: Exchange | undefined,
  wait: number,
): Retried {
  const cited = [limited, first, ...(second === undefined ? [] : [second])];
  const fact = retriedFact(wait, receivedText(first));
  if (second === undefined) return both(unproven(fact, 'It was not tried once more.', cited));
  const secondName = exchangeName(second);
  const again = Math.max(waitOf(first) ?? 1, 1);
  if (isRateLimited(second) && second.sent.mono < first.received.mono + again * 1000) {
    const early = `${capitalized(secondName)} was sent before the second Retry-After had passed.`;
    return both(unproven(fact, early, cited));
  }
  if (isRateLimited(second)) {
    const reasoning = `${capitalized(secondName)} received a 429, too, after the Retry-After of that response.`;
    return { obeyed: fail({ ...fact, reasoning }, cited), exact: notOnlyRounding(cited) };
  }
  const more = waitOf(first) ?? 0;
  const late = warn(
    {
      ...fact,
      reasoning: `${capitalized(secondName)}, after another Retry-After of ${more} s, was accepted.`,
    },
    cited,
  );
  const obeyed =
    more > 1
      ? late
      : pass(
          `${exchangeName(first)} came after Retry-After (${wait} s) and was rate-limited once more; ${secondName}, at most a second later, was accepted: the wait was rounded down (see RETRY-4).`,
          cited,
        );
  return { obeyed, exact: late };
}
