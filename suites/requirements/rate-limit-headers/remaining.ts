import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import {
  answeredBefore429,
  followsPause,
  readingThatCovers,
} from '../../../rate-limits/attribution/early-429.ts';
import type { Explanation } from '../../../rate-limits/explanation.ts';
import { dayQuota, minuteQuota } from '../../../rate-limits/quota.ts';
import { readingOf } from '../../../rate-limits/series/reading.ts';
import { fallBeyondUse, transitionsBefore429 } from '../../../rate-limits/series/transitions.ts';
import { OPEN_BY_WAIT, waitScale } from '../../../rate-limits/wait-scale.ts';
import { perhapsAnotherClient, sharedUse, unlessAnotherClient } from '../../evidence/another-client.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { fail, inconclusive, pass, warn } from '../../evidence/judgement.ts';
import { miscounted } from '../../evidence/miscounted.ts';
import { explainedByCost, ifRepeated } from '../../evidence/repeated.ts';
import { drained, uses } from '../../evidence/uses.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';
import type { Use } from '../../probes/uses.ts';

/** RATE-7. What Remaining may do, and each explanation of a miscount, is derived in `rate-limits/BOUNDS.md`. */
export function accounts(evidence: Evidence): Judgement {
  const found = evidence.fact(miscounted);
  if (found !== undefined) {
    const { explanation, exchanges } = found;
    switch (explanation.kind) {
      case 'each request costs several':
        return fail(
          `Expected Remaining to fall by no more than was used, but each ${explanation.of} takes ${explanation.cost} from it.`,
          exchanges,
        );
      case 'requests without the key are counted':
        return fail(
          'Expected Remaining to fall by the requests of this key, but requests without the key take from it, too.',
          exchanges,
        );
      case 'not counted':
        return fail(
          `Expected Remaining to fall with use, but ${explanation.of === undefined ? '' : `requests by ${explanation.of} are not counted: `}${explanation.unexplained} more are left than any window or bucket could have given back.`,
          exchanges,
        );
      case 'one kind of answer':
        return fail(
          `Expected Remaining to fall by the requests that were sent, but each ${explanation.of} shows ${explanation.shows} than the count that every other answer shows.`,
          exchanges,
        );
      case 'every nth counts once more':
        return fail(
          `Expected Remaining to fall by the requests that were sent, but one of every ${explanation.nth} requests takes one more from it.`,
          exchanges,
        );
      case 'fell beyond use':
        return fellBeyondUse(evidence, exchanges);
      default:
        return inconclusive(
          `Remaining cannot be reckoned as one count: it follows ${followed(explanation)}, which another requirement judges.`,
          exchanges,
        );
    }
  }
  return accountsForDays(evidence);
}

const USED_BY_ANOTHER = 'Another client of the key would cause that, too.';

function fellBeyondUse(evidence: Evidence, exchanges: readonly Exchange[]): Judgement {
  const text = 'Expected Remaining to fall by no more than was sent, but it fell by more.';
  return unlessAnotherClient(evidence, fail(text, exchanges), USED_BY_ANOTHER);
}

/** What Remaining follows instead of the requests of its caller. */
function followed(explanation: Explanation): string {
  if (explanation.kind === 'separate counters')
    return explanation.hidden.length > 0
      ? `no requests to ${explanation.hidden.join(' and ')}`
      : `separate counters for each ${explanation.by}`;
  if (explanation.kind === 'counts side by side') return `${explanation.counts} counts side by side`;
  return 'requests only as long as they come one by one';
}

/** Headers that describe the day are never fresh, so only a fall beyond use can be judged. */
function accountsForDays(evidence: Evidence): Judgement {
  const quota = dayQuota(evidence.run.limits);
  const changes = evidence.fact(uses).flatMap(({ series }) => transitionsBefore429(series, quota.limit));
  const minutes = evidence
    .fact(uses)
    .flatMap(({ series }) => transitionsBefore429(series, evidence.run.limits.perMinute));
  if (changes.some((change) => fallBeyondUse(change) > 0)) {
    return unlessAnotherClient(
      evidence,
      fail('Expected Remaining of the day to fall by no more than was sent, but it fell by more.'),
      USED_BY_ANOTHER,
    );
  }
  const compared = changes.length + minutes.length;
  if (compared === 0)
    return inconclusive('No two answers to compare: their Limit or Remaining is unusable, or too few came.');
  return pass(
    `In ${compared} comparisons Remaining fell by no more than was sent, and rose by no more than a conforming limiter gives back.`,
  );
}

export function keepsPromise(evidence: Evidence): Judgement {
  const use = drained(evidence);
  const limited = use?.limited;
  if (use === undefined || limited === undefined)
    return inconclusive(evidence.lacking('No 429 was seen.', exhaustQuota));
  if (evidence.fact(sharedUse) !== undefined) {
    return perhapsAnotherClient('Another client may be using this key, so this 429 proves nothing.', [
      limited.exchange,
    ]);
  }
  const broken = evidence
    .fact(uses)
    .map((one) => brokenPromise(evidence, one))
    .find((one) => one !== undefined);
  if (broken?.verdict === 'fail') return broken;
  const told = on429(evidence, limited.exchange);
  const { answered, expected } = answeredBefore429(use.series, limited, minuteQuota(evidence.run.limits));
  const early = broken !== undefined || answered < expected;
  if (told.verdict !== 'fail' || !early) return broken ?? told;
  // A refusal that came too early may be a ban, which says nothing of what is left.
  const again = ifRepeated(evidence, told, leavesSome(evidence));
  return again.verdict === 'fail' ? again : (broken ?? again);
}

/** 1 for a stretch whose refusal says that some are left. */
const leavesSome =
  ({ run: { limits } }: Evidence) =>
  ({ limited }: Use): number | undefined => {
    const reading = limited === undefined ? undefined : readingOf(limited.exchange);
    return reading?.limit === limits.perMinute && reading.remaining > 0 ? 1 : undefined;
  };

/** A refusal right after an answer that still promised requests. */
function brokenPromise(evidence: Evidence, { series, limited }: Use): Judgement | undefined {
  const before =
    limited === undefined ? undefined : readingThatCovers(series, limited.step, evidence.run.limits);
  if (limited === undefined || before === undefined) return undefined;
  const { step, exchange } = limited;
  // Requests sent at the same time are all promised only if each takes one.
  const costly = evidence.fact(miscounted)?.explanation.kind === 'each request costs several';
  if (step.exchanges.length > 1 && costly) return undefined;
  const text = `Expected no refusal while requests are left, but ${exchangeName(before.exchange)} promised ${before.remaining} and ${exchangeName(exchange)} right after it answered 429.`;
  const found = byScale(evidence, exchange, text, [before.exchange, exchange]);
  return found.verdict === 'fail' && !explainedByCost(evidence)
    ? ifRepeated(evidence, found, promisedBy(evidence))
    : found;
}

/** The wait that the refusal asks for tells whether it is about the minute at all. */
function byScale(
  evidence: Evidence,
  exchange: Exchange,
  text: string,
  cited: readonly Exchange[],
): Judgement {
  const scale = waitScale(exchange, evidence.run.limits);
  switch (scale) {
    case 'window':
      return fail(text, cited);
    case 'next request':
      return warn(`${text} ${OPEN_BY_WAIT['next request']}`, cited);
    default:
      return inconclusive(`${text} ${OPEN_BY_WAIT[scale]}`, cited);
  }
}

/** How many requests were still promised when a refusal about the window came. */
const promisedBy =
  ({ run: { limits } }: Evidence) =>
  ({ series, limited }: Use): number | undefined => {
    if (limited === undefined || waitScale(limited.exchange, limits) !== 'window') return undefined;
    if (followsPause(limited, minuteQuota(limits))) return undefined;
    return readingThatCovers(series, limited.step, limits)?.remaining;
  };

function on429(evidence: Evidence, exchange: Exchange): Judgement {
  const reading = readingOf(exchange);
  if (reading === undefined)
    return inconclusive(`The 429 of ${exchangeName(exchange)} has no usable Limit and Remaining.`, [
      exchange,
    ]);
  if (reading.limit !== evidence.run.limits.perMinute) {
    return pass(
      `The 429 describes the limit ${reading.limit}, not the minute; no promise about the minute was broken.`,
      [exchange],
    );
  }
  if (reading.remaining === 0)
    return pass('No 429 came while requests were left, and the 429 says Remaining 0.', [exchange]);
  return byScale(
    evidence,
    exchange,
    `Expected Remaining 0 on a 429, but ${exchangeName(exchange)} says ${reading.remaining}.`,
    [exchange],
  );
}
