import { capitalized, countOf } from '../../../../kernel/basics/text.ts';
import { firstFound } from '../../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName, spanText } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { rateHeadersOf } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../../kernel/findings/finding-text.ts';
import type { Judgement, ShownFact } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass, unproven, warn } from '../../../../kernel/findings/judgement.ts';
import {
  answeredBefore429,
  followsPause,
  readingThatCovers,
} from '../../../../kernel/rate-limits/attribution.ts';
import type { CountedTogether } from '../../../../kernel/rate-limits/bounds/counters.ts';
import type { Explanation } from '../../../../kernel/rate-limits/explanation.ts';
import type { Reading, Transition } from '../../../../kernel/rate-limits/series.ts';
import {
  fallBeyondUse,
  hasKnownCaller,
  readingOf,
  transitionsBefore429,
} from '../../../../kernel/rate-limits/series.ts';
import { OPEN_BY_WAIT, waitScale } from '../../../../kernel/rate-limits/waits.ts';
import { circumstances, pacedText } from '../../evidence/circumstances.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { explainedByCost, ifOfMinute, storedText } from '../../evidence/repeated.ts';
import {
  exhaustingUse,
  furtherUses,
  hasSeveralCounts,
  miscounted,
  othersText,
  perhapsAnotherClient,
  sharedUse,
  unlessAnotherClient,
  uses,
} from '../../evidence/uses.ts';
import type { Use } from '../../probes/recount.ts';

export function followsUse(evidence: Evidence): Judgement {
  const found = evidence.fact(miscounted);
  if (found === undefined) return followsUseOfDay(evidence);
  const { explanation, exchanges } = found;
  if (explanation.kind === 'stored responses')
    return fail({ ...storedFact(explanation.requests, exchanges), exchanges });
  const where = spanText(exchanges);
  if (explanation.kind === 'fell beyond use') return largerFall(evidence, explanation.fall, 'Remaining');
  if (explanation.kind === 'counted together') return countedTogether(explanation);
  const fact = miscountFact(explanation);
  if (fact !== undefined) return fail({ ...fact, received: `${fact.received}${where}`, exchanges });
  return inconclusive(
    'Remaining follows several counts, or only requests that are sent one at a time, which LIMIT-5, LIMIT-6 or LIMIT-8 judges.',
    exchanges,
  );
}

/** What a cache in front of the limiter shows instead of what remains. */
function storedFact(requests: number, exchanges: readonly Exchange[]): Fact {
  const stored = exchanges.at(-1);
  return {
    expected: 'Remaining to fall with use',
    received: `the same Remaining${stored === undefined ? '' : ` ${rateHeadersOf(stored).remaining} in ${exchangeName(stored)}`} as before, although it had fallen meanwhile`,
    reasoning: `${stored === undefined ? 'A cache answered' : capitalized(storedText(stored))}, and the limiter never saw ${requests === 1 ? 'this request' : `${countOf(requests, 'such request')} of this run`}. Let the limiter count before the cache answers, or exclude these responses from it (Cache-Control: no-store).`,
  };
}

/** The requests of this run as other callers account for every fall. */
function countedTogether(together: CountedTogether): Judgement {
  const { from, to, requests, fallen } = together.fall;
  return fail({
    expected: 'Remaining to fall by requests with this key only',
    received: `a fall by ${othersText(together)} as well: by ${fallen} over ${countOf(requests, 'request')} with the key and ${together.others} of these, ${changeText(from, to)}`,
    reasoning:
      'The requests that this run sent in between account for every fall, so no other client is needed.',
    exchanges: [from.exchange, to.exchange],
  });
}

const changeText = (from: Reading, to: Reading): string =>
  `from ${from.remaining} in ${exchangeName(from.exchange)} to ${to.remaining} in ${exchangeName(to.exchange)}`;

/** A fall beyond the requests with the key, and beyond those whose caller cannot be known. @param what whose fall it is, as a sentence names it. */
function largerFall(evidence: Evidence, { from, to, through, fallen }: Transition, what: string): Judgement {
  const keyed = through.filter(hasKnownCaller).length;
  const open = through.length - keyed;
  const fact = {
    expected: `${what} to fall by no more than the requests that were sent with the key`,
    received: `a fall of ${fallen} over ${countOf(keyed, 'request')}${open === 0 ? '' : `, and ${open} more that may count for the key`}, ${changeText(from, to)}`,
    exchanges: [from.exchange, to.exchange],
  };
  return unlessAnotherClient(evidence, fail(fact), 'Another client of the key would cause that, too.');
}

const ONE_PER_REQUEST = 'Remaining to fall by no more than one per request';

/** A miscount that only the target can cause, as expected and received; undefined for one that another requirement judges. */
function miscountFact(explanation: Explanation): Fact | undefined {
  switch (explanation.kind) {
    case 'each request costs several':
      return { expected: ONE_PER_REQUEST, received: `a fall of ${explanation.cost} per ${explanation.of}` };
    case 'every nth counts once more':
      return {
        expected: ONE_PER_REQUEST,
        received: `a fall of one more at one of every ${explanation.nth} requests`,
      };
    case 'not counted': {
      const fact = {
        expected: 'Remaining to fall with use',
        received: `a Remaining that is ${explanation.unexplained} higher than any window or bucket could restore`,
      };
      return explanation.of === undefined
        ? fact
        : { ...fact, reasoning: `Requests by ${explanation.of} are not counted.` };
    }
    case 'one kind of answer': {
      const value = explanation.shows === 'less' ? 'a lower value' : 'a higher value';
      return {
        expected: 'one Remaining in all responses',
        received: `${value} with each ${explanation.of} than all other responses show`,
      };
    }
    default:
      return undefined;
  }
}

/** Headers about the day never show an untouched quota, so only a fall beyond use can be judged. */
function followsUseOfDay(evidence: Evidence): Judgement {
  const { perDay, perMinute } = evidence.limits;
  const changesOf = (limit: number): readonly Transition[] =>
    evidence.fact(uses).flatMap(({ series }) => transitionsBefore429(series, limit));
  const changes = changesOf(perDay);
  const fall = changes.find((change) => fallBeyondUse(change) > 0);
  if (fall !== undefined) return largerFall(evidence, fall, 'Remaining of the day');
  const compared = changes.length + changesOf(perMinute).length;
  if (compared === 0)
    return inconclusive(
      'There are no two responses to compare: their Limit or Remaining is unusable, or there are too few.',
    );
  return pass(
    `In ${compared} comparisons Remaining fell by no more than the requests that were sent, and rose by no more than a conforming limiter gives back.`,
  );
}

/** A repetition confirms what another window showed, and shows nothing by itself: two of them may be alike by chance. */
export function matches429(evidence: Evidence): Judgement {
  const use = judgedUse(evidence);
  const limited = use?.limited;
  if (use === undefined || limited === undefined)
    return inconclusive(evidence.lacking('No 429 response was received.', 'exhaust-quota'));
  if (evidence.fact(sharedUse) !== undefined) {
    return perhapsAnotherClient('Another client may be using this key, so this 429 proves nothing.', [
      limited.exchange,
    ]);
  }
  const contradicted = firstFound(
    evidence.fact(uses).filter(({ first }) => evidence.exclusive || first.probe !== 'repetition'),
    (one) => limitedDespiteRemaining(evidence, one),
  );
  const own = remainingOn429(evidence, limited.exchange);
  const { answered, expected } = answeredBefore429(use.series, limited, evidence.quota);
  const early = contradicted !== undefined || answered < expected;
  if (own.verdict !== 'fail' || !early) return contradicted ?? own;
  // A 429 that came too early may be a ban, which says nothing about the remaining quota.
  const again = ifOfMinute(evidence, own, hasRemaining(evidence));
  return again.verdict === 'fail' ? again : (contradicted ?? again);
}

/** The stretch of use whose 429 is judged: that of the first window, or of a further one where it alone shows a remaining quota. */
function judgedUse(evidence: Evidence): Use | undefined {
  const first = exhaustingUse(evidence);
  const isContradictory = (use: Use | undefined): boolean =>
    use?.limited !== undefined && remainingOn429(evidence, use.limited.exchange).verdict === 'fail';
  return [first, ...furtherUses(evidence)].find(isContradictory) ?? first;
}

/** 1 for a stretch whose 429 has Remaining above 0. */
const hasRemaining =
  ({ limits }: Evidence) =>
  ({ limited }: Use): number | undefined => {
    const reading = limited === undefined ? undefined : readingOf(limited.exchange);
    return reading?.limit === limits.perMinute && reading.remaining > 0 ? 1 : undefined;
  };

function limitedDespiteRemaining(evidence: Evidence, { series, limited }: Use): Judgement | undefined {
  const before = limited === undefined ? undefined : readingThatCovers(series, limited.step, evidence.limits);
  if (limited === undefined || before === undefined) return undefined;
  const { step, exchange } = limited;
  // Requests sent at the same time are all covered by Remaining only if each takes one.
  const costly = evidence.fact(miscounted)?.explanation.kind === 'each request costs several';
  if (step.exchanges.length > 1 && costly) return undefined;
  const fact = {
    expected: `no 429 right after Remaining ${before.remaining} in ${exchangeName(before.exchange)}`,
    received: `429 in ${exchangeName(exchange)}`,
    exchanges: [before.exchange, exchange],
  };
  if (hasSeveralCounts(evidence)) return unproven(fact, 'Remaining is not one count (see RATE-7, LIMIT-6).');
  const found = byWait(evidence, exchange, fact);
  return found.verdict === 'fail' && !explainedByCost(evidence)
    ? ifOfMinute(evidence, found, remainingBefore(evidence))
    : found;
}

/** The wait that a 429 announces shows whether it is about the minute at all. */
function byWait(evidence: Evidence, exchange: Exchange, fact: ShownFact): Judgement {
  const scale = waitScale(exchange, evidence.limits);
  const beside = scale === 'longer' ? undefined : evidence.fact(circumstances);
  if (beside !== undefined && (scale !== 'window' || beside.only === 'in flight'))
    return warn({ ...fact, reasoning: beside.text });
  switch (scale) {
    case 'window':
      return fail(fact);
    case 'next request':
      return warn({ ...fact, reasoning: OPEN_BY_WAIT['next request'] });
    default: {
      const paced = scale === 'longer' ? pacedText(evidence) : undefined;
      return paced === undefined ? unproven(fact, OPEN_BY_WAIT[scale]) : warn({ ...fact, reasoning: paced });
    }
  }
}

const remainingBefore =
  ({ limits, quota }: Evidence) =>
  ({ series, limited }: Use): number | undefined => {
    if (limited === undefined || waitScale(limited.exchange, limits) !== 'window') return undefined;
    if (followsPause(limited, quota)) return undefined;
    return readingThatCovers(series, limited.step, limits)?.remaining;
  };

function remainingOn429(evidence: Evidence, exchange: Exchange): Judgement {
  const reading = readingOf(exchange);
  if (reading === undefined)
    return inconclusive(`The 429 in ${exchangeName(exchange)} has no usable Limit and Remaining.`, [
      exchange,
    ]);
  if (reading.limit !== evidence.limits.perMinute) {
    return pass(
      `The 429 describes the limit ${reading.limit}, not that of the minute, and no 429 came while Remaining of the minute was above 0.`,
      [exchange],
    );
  }
  if (reading.remaining === 0)
    return pass('No 429 came while Remaining was above 0, and the 429 has Remaining 0.', [exchange]);
  return byWait(evidence, exchange, {
    expected: 'Remaining 0 on a 429',
    received: `Remaining ${reading.remaining} in ${exchangeName(exchange)}`,
    exchanges: [exchange],
  });
}
