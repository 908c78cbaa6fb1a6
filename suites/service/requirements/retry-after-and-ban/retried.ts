import { capitalized, secondsText } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import {
  accepted,
  exchangeName,
  isKeyRejected,
  isRateLimited,
  receivedText,
} from '../../../../kernel/exchanges/outcome-kinds.ts';
import {
  dateHeaderSeconds,
  literalWaitSeconds,
  rateHeadersOf,
  readRetryAfter,
} from '../../../../kernel/exchanges/rate-headers.ts';
import type { Judgement, ShownFact } from '../../../../kernel/findings/judgement.ts';
import {
  fail,
  inconclusive,
  isAdverse,
  pass,
  unproven,
  warn,
} from '../../../../kernel/findings/judgement.ts';
import {
  exchangesOf,
  hasKnownCaller,
  mayCount,
  ofKey,
  stepsOf,
} from '../../../../kernel/rate-limits/series.ts';
import type { RetryOutcome } from '../../../../kernel/rate-limits/waits.ts';
import { retryOutcome, waitScale } from '../../../../kernel/rate-limits/waits.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { ifRepeated } from '../../evidence/repeated.ts';
import {
  acceptedAfter,
  exhaustingUse,
  inSecondWindow,
  secondUse,
  takenByOthers,
  unlessAnotherClient,
  uses,
} from '../../evidence/uses.ts';
import { exhaustQuota, isConclusive } from '../../probes/exhaust-quota.ts';
import type { Use } from '../../probes/recount.ts';
import { showsQuota } from '../../probes/recovery.ts';

/** RETRY-3, whether a request after Retry-After is accepted, and RETRY-4, whether the wait is exact to the second. */
interface Retried {
  readonly obeyed: Judgement;
  readonly exact: Judgement;
}

/** Without a `Date` the wait is unknown: accepted when the date has come, nothing speaks against the target; our clock may differ. */
function afterDate(limited: Exchange, first: Exchange | undefined): Retried | undefined {
  const after = readRetryAfter(limited);
  if (after.kind !== 'date' || first === undefined || !accepted(first)) return undefined;
  const clock = dateHeaderSeconds(first) ?? first.sent.wall / 1000;
  if (clock < after.at) return undefined;
  const cited = [limited, first];
  const obeyed = pass(
    `At the date that Retry-After announced, or later, ${exchangeName(first)} was not rate-limited again. The 429 has no Date, so the wait in seconds is unknown.`,
    cited,
  );
  const unknown = `The 429 in ${exchangeName(limited)} has no Date, so how long its Retry-After waits is unknown.`;
  return { obeyed, exact: inconclusive(unknown, cited) };
}

/** Retry-After and Reset are each rounded to a second, in seconds. */
const ROUNDING = 2;

/** A gateway may write the Date that it is compared with. Reset is of the service, too: a date before it is wrong by its own clock. */
function byAnotherClock(limited: Exchange, first: Exchange, fact: ShownFact): Judgement | undefined {
  const after = readRetryAfter(limited);
  const { reset = 0 } = rateHeadersOf(limited);
  if (after.kind !== 'date' || after.at + ROUNDING < reset) return undefined;
  return first.sent.wall / 1000 < after.at
    ? unproven(
        fact,
        'By the clock of the machine that ran the test that date had not come: a gateway may have written the Date that it was compared with.',
      )
    : warn({
        ...fact,
        reasoning:
          'The date agrees with Reset, so the clock of the service may be behind, and Date the one of a gateway. Clients that compare the two wait too short.',
      });
}

/** A wait that was truncated by as much would not show in a request that comes this much later, in milliseconds. */
const MOST_OF_A_SECOND = 500;

type LimitedAgain = RetryOutcome & { readonly kind: 'rate-limited again' };

const both = (judgement: Judgement): Retried => ({ obeyed: judgement, exact: judgement });

/** What came of waiting as announced, and of every repetition where that was in vain. */
export function retried(evidence: Evidence): Retried {
  const limited = evidence.fact(exhaustingUse)?.limited?.exchange;
  if (limited === undefined)
    return both(inconclusive(evidence.lacking('No 429 response was received.', 'exhaust-quota')));
  const { obeyed, exact } = retriedInEach(limited, evidence);
  if (obeyed.verdict !== 'fail') return { obeyed, exact };
  const inVain = (use: Use): number | undefined => {
    const again = use.limited === undefined ? undefined : retriedAfter(use.limited.exchange, evidence);
    return again?.obeyed.verdict === 'fail' ? 1 : undefined;
  };
  return { obeyed: ifRepeated(evidence, obeyed, inVain), exact };
}

/** What came of it in the first window; in the second one of a thorough run, where only that one speaks against the target. */
function retriedInEach(limited: Exchange, evidence: Evidence): Retried {
  const first = retriedAfter(limited, evidence);
  const again = secondUse(evidence)?.limited?.exchange;
  if (again === undefined) return first;
  const second = retriedAfter(again, evidence);
  const worse = (one: Judgement, other: Judgement): Judgement => {
    const found = [one, other].find(({ verdict }) => verdict === 'fail') ?? [one, other].find(isAdverse);
    if (found !== undefined) return found;
    return one.verdict === 'pass' && other.verdict === 'pass'
      ? pass(`${one.checked} ${inSecondWindow(other.checked)}`, [...one.exchanges, ...other.exchanges])
      : one;
  };
  return { obeyed: worse(first.obeyed, second.obeyed), exact: worse(first.exact, second.exact) };
}

/** What the request after the Retry-After of this 429 shows, and the one after that if it was rate-limited again. */
function retriedAfter(limited: Exchange, evidence: Evidence): Retried {
  // A presentation of the key that the specification leaves open counts as the key's only where it is accepted.
  const keyed = ofKey(evidence.exchanges).filter(
    (exchange) => exchange.caller === 'key' || accepted(exchange),
  );
  const steps = stepsOf(keyed.filter((exchange) => exchange.sent.mono > limited.sent.mono));
  const later = exchangesOf(steps).filter(
    (exchange) => exchange.sent.mono >= limited.received.mono && !sentAlong(limited, exchange),
  );
  const [first, second] = shownBy(later);
  const found = retryOutcome({ limited: [limited], first, second });
  const waitSeconds = literalWaitSeconds(limited) ?? 0;
  switch (found.kind) {
    case 'no usable Retry-After':
      return (
        afterDate(limited, first) ??
        both(inconclusive(`The 429 in ${exchangeName(limited)} has no usable Retry-After.`, [limited]))
      );
    case 'not retried':
      return both(inconclusive(evidence.whyNothing('recovery'), [limited]));
    case 'in another unit':
      return both(inAnotherUnit(found));
    case 'retried too early': {
      const text = `${exchangeName(found.first)} was sent before Retry-After had passed.`;
      return both(inconclusive(text, [limited, found.first]));
    }
    case 'not rate-limited':
      return notLimited(evidence, limited, found.first, waitSeconds);
    case 'rate-limited again':
      return limitedAgain(evidence, limited, found, waitSeconds);
  }
}

/** Where nothing of the service answered the first request, the next one at once. What was lost may have been counted. */
function shownBy(later: readonly Exchange[]): readonly Exchange[] {
  const [first] = later;
  const answered = later.find(isConclusive);
  if (first === undefined || answered === undefined) return later;
  const isLate = answered.sent.mono - first.sent.mono >= MOST_OF_A_SECOND;
  return isLate || isRateLimited(answered) || isKeyRejected(answered) ? later : [answered];
}

/** What can be judged of a wait that seems to be in another unit than seconds. */
function inAnotherUnit({
  limited,
  first,
  unit,
  afterMs,
  confirmed,
}: RetryOutcome & { readonly kind: 'in another unit' }): Judgement {
  const exchanges = [limited, first];
  const text = `Retry-After in ${exchangeName(limited)} looks like ${unit.name} (see RETRY-2). A request ${secondsText(afterMs)} later received ${receivedText(first)}`;
  return confirmed
    ? pass(`${text}: in that unit the wait is right.`, exchanges)
    : inconclusive(`${text}, but in seconds the wait was not over.`, exchanges);
}

/** A request of the same burst: it may be sent after the first 429 came, and is no retry. */
const sentAlong = (limited: Exchange, { probe, step }: Exchange): boolean =>
  limited.probe === probe && limited.step === step && step === exhaustQuota.steps.parallel;

function notLimited(evidence: Evidence, limited: Exchange, first: Exchange, wait: number): Retried {
  const cited = [limited, first];
  if (isKeyRejected(first)) {
    const exact = inconclusive('The key was rejected after the wait (see RETRY-3).', cited);
    return { obeyed: bannedThen(evidence, limited, first, wait), exact };
  }
  if (!isConclusive(first))
    return both(inconclusive(`The request after Retry-After received ${receivedText(first)}.`, cited));
  if (showsQuota(limited, evidence.limits) && limited.request.method !== first.request.method)
    return both(
      inconclusive(
        `${capitalized(exchangeName(limited))} was rate-limited although quota remained, so operations may have limits of their own, and ${exchangeName(first)} after Retry-After is another operation.`,
        cited,
      ),
    );
  const obeyed = pass(
    `After ${wait} s, as Retry-After announced, ${exchangeName(first)} was not rate-limited again.`,
    cited,
  );
  return { obeyed, exact: wait === 0 ? (retriedLate(limited, first) ?? obeyed) : obeyed };
}

/** A wait of 0 s is right where the 429 itself was delayed as long, or where a request right after it is accepted. */
function retriedLate(limited: Exchange, first: Exchange): Judgement | undefined {
  const held = limited.received.mono - limited.sent.mono;
  const later = first.sent.mono - limited.received.mono;
  if (held >= MOST_OF_A_SECOND || later < MOST_OF_A_SECOND) return undefined;
  return inconclusive(
    `${exchangeName(limited)} returned 429 at once with Retry-After 0, and ${exchangeName(first)} was sent ${secondsText(later)} later, so a wait that was rounded down from less than a second would not show.`,
    [limited, first],
  );
}

/** A ban is for a client that keeps sending. Another one may do so again and again: while this one waits, nothing shows its use. */
function bannedThen(evidence: Evidence, limited: Exchange, first: Exchange, wait: number): Judgement {
  const fact = {
    expected: `an accepted request after Retry-After (${wait} s)`,
    received: receivedText(first),
    exchanges: [limited, first],
  };
  if (statusOf(first) === 401 && acceptedAfter(evidence, first) === undefined)
    return unproven(
      fact,
      'The specification does not show how long a key is valid, and it may have expired.',
    );
  const reasoning = 'The key is rejected as if it were banned, and a ban is for clients that keep sending.';
  return alone(limited, evidence)
    ? unlessAnotherClient(
        evidence,
        fail({ ...fact, reasoning }),
        'Another client may have kept sending with this key, which was then banned.',
      )
    : unproven(fact, 'Several requests were beyond the limit at the same time, so it may be a ban.');
}

/** Whether no other request was beyond the limit in this stretch of use: a client that keeps sending may be banned. */
const alone = (limited: Exchange, evidence: Evidence): boolean =>
  evidence
    .fact(uses)
    .filter(({ series }) => series.some(({ exchanges }) => exchanges.includes(limited)))
    .every(({ series }) => series.flatMap(({ exchanges }) => exchanges.filter(isRateLimited)).length === 1);

/** A 429 after the wait: rounding where the next request is accepted, a wrong Retry-After where that is rate-limited, too. */
function limitedAgain(
  evidence: Evidence,
  limited: Exchange,
  found: LimitedAgain,
  waitSeconds: number,
): Retried {
  const { first } = found;
  const fact = {
    expected: `no 429 to a request after Retry-After (${waitSeconds} s)`,
    received: receivedText(first),
    exchanges: [limited, first],
  };
  if (takenByOthers(evidence, limited)) {
    const doubt = 'Another client may be using this key and may have exhausted the quota meanwhile.';
    return both(unlessAnotherClient(evidence, fail(fact), doubt));
  }
  if (found.result === 'open')
    return both(
      unproven(
        fact,
        'The next request was not answered, or came before the Retry-After of that response had passed.',
      ),
    );
  const doubt = usedMeanwhile(evidence, limited, first);
  const unlessUsed = (judgement: Judgement): Judgement =>
    doubt === undefined || !isAdverse(judgement)
      ? judgement
      : unproven({ ...fact, exchanges: judgement.exchanges }, doubt);
  const again = { ...fact, exchanges: [limited, first, found.second] };
  if (found.result === 'not rate-limited') {
    const { obeyed, exact } = roundedDown(found, again, waitSeconds);
    return { obeyed: unlessUsed(obeyed), exact: unlessUsed(exact) };
  }
  const reasoning = `${capitalized(exchangeName(found.second))} received a 429, too, after the Retry-After of that response.`;
  return {
    obeyed: byAnotherClock(limited, first, again) ?? unlessUsed(fail({ ...again, reasoning })),
    exact: inconclusive('Retry-After is wrong by more than rounding (see RETRY-3).', again.exchanges),
  };
}

/** This run sent the key in a form that is no valid credential, which the target may count for the key. */
function usedMeanwhile(evidence: Evidence, limited: Exchange, first: Exchange): string | undefined {
  const own = mayCount(evidence.exchanges).filter(
    (one) =>
      !hasKnownCaller(one) && one.sent.mono > limited.sent.mono && one.received.mono <= first.sent.mono,
  );
  const inPortions = waitScale(limited, evidence.limits) === 'next request';
  const shown = own.find(isRateLimited) ?? (inPortions ? own[0] : undefined);
  return shown === undefined
    ? undefined
    : `Meanwhile this run sent the key in other forms as well, such as "${shown.step}" in ${exchangeName(shown)}, and the target may count these for the key.`;
}

/** One 429 too many after the wait: at most a second of rounding, or more than that. */
function roundedDown(
  { first, second, waitSeconds: more }: { first: Exchange; second: Exchange; waitSeconds: number },
  fact: ShownFact,
  waitSeconds: number,
): Retried {
  const reasoning = `${capitalized(exchangeName(second))}, after another Retry-After of ${more} s, was not rate-limited.`;
  const late = warn({ ...fact, reasoning });
  const obeyed =
    more > 1
      ? late
      : pass(
          `${exchangeName(first)} came after Retry-After (${waitSeconds} s) and was rate-limited once more; ${exchangeName(second)}, at most a second later, was not: the wait was rounded down (see RETRY-4).`,
          fact.exchanges,
        );
  return { obeyed, exact: late };
}
