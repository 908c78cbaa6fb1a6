import { countOf, secondsText } from '../../../kernel/basics/text.ts';
import { firstFound } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { apparentWaitUnit, literalWaitSeconds } from '../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { firstOverrun } from '../../../kernel/rate-limits/bounds/overrun.ts';
import { showsUntouched } from '../../../kernel/rate-limits/bounds/windows.ts';
import { dayQuota } from '../../../kernel/rate-limits/quota.ts';
import { readingOf, seriesOf } from '../../../kernel/rate-limits/series.ts';
import { endOfWait, waitScale } from '../../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { ScenarioEvidence } from '../evidence.ts';
import { retryAfterProblemIn, statusText } from './waits.ts';

export function enforcesDay(scenario: ScenarioEvidence): Judgement | undefined {
  const { exchanges, planned, limits } = scenario;
  if (exchanges.length === 0 || planned <= limits.perDay) return undefined;
  const over = overrunOfDay(exchanges, limits);
  if (over !== undefined) return fail(over);
  const problem = retryAfterProblemIn(exchanges.filter(isRateLimited));
  if (problem !== undefined) return fail(problem);
  const ends = exchanges.find((one) => isRateLimited(one) && waitScale(one, limits) === 'longer');
  const got = exchanges.filter(
    (one) => accepted(one) && (ends === undefined || one.sent.mono < ends.sent.mono),
  ).length;
  if (ends === undefined) {
    return inconclusive(
      exchanges.some(isRateLimited)
        ? `${got} of ${limits.perDay} were accepted, and no 429 is about the day.`
        : `All ${got} were accepted, ${got - limits.perDay} more than a day’s quota; this conforms if the day began anew meanwhile.`,
    );
  }
  if (got >= limits.perDay)
    return pass(
      `${got} of ${limits.perDay} were accepted, then request ${ends.n} returned 429 for the rest of the day.`,
    );
  return early(scenario, ends.n, got);
}

/** Fewer than the quota: attributed to the target only where its own first response shows an untouched day. */
function early({ exchanges, limits, anotherClient }: ScenarioEvidence, n: number, got: number): Judgement {
  const [first] = exchanges;
  const fresh = first !== undefined && showsUntouched(readingOf(first), limits.perDay);
  const text = `request ${n} was rate-limited for longer than a minute after ${got} of ${limits.perDay} requests`;
  if (fresh && anotherClient === undefined)
    return fail({
      expected: 'the full quota of an untouched day',
      received: `a 429 for longer than a minute to request ${n}, after ${got} of ${limits.perDay} requests`,
    });
  return inconclusive(
    `Expected the quota of the day, but ${text}; a part of it may have been used before the run.`,
  );
}

function overrunOfDay(exchanges: readonly Exchange[], limits: Limits): Fact | undefined {
  const { limit } = dayQuota(limits);
  const asMinute = { ...limits, perMinute: limit, minuteSeconds: limits.daySeconds };
  const found = firstFound(seriesOf(exchanges, asMinute), (series) => firstOverrun(series, asMinute));
  if (found === undefined) return undefined;
  return {
    expected: `at most ${found.allowed} accepted requests in ${secondsText(found.milliseconds)} of a day`,
    received: `${found.accepted}, up to request ${found.last.n}`,
  };
}

/**
 * "A client that keeps sending requests after receiving 429 may have its API key temporarily banned": how long a ban
 * lasts is open, unless the target announces it.
 */
export function banEndsAsAnnounced(scenario: ScenarioEvidence): Judgement | undefined {
  const persist = scenario.steps.findIndex(({ kind }) => kind === 'persist');
  const persisted = scenario.exchanges.filter((one) => persist !== -1 && Number(one.step) === persist);
  const last = persisted.at(-1);
  if (last === undefined) return undefined;
  const tries = scenario.exchanges.filter((one) => Number(one.step) > persist);
  const lifted = tries.find(accepted);
  const seen = banText(persisted);
  if (lifted !== undefined) {
    const afterMs = lifted.sent.mono - last.received.mono;
    return pass(
      `${seen}; request ${lifted.n} was accepted ${secondsText(afterMs)} after the last of ${countOf(persisted.length, 'request')} beyond the limit.`,
    );
  }
  const [first, second] = tries;
  if (first === undefined || second === undefined)
    return inconclusive(`${seen}. Whether the key is accepted again was not tried twice.`);
  return judgeRejected(scenario, seen, [last, first, second]);
}

function banText(persisted: readonly Exchange[]): string {
  const banned = persisted.find((one) => isKeyRejected(one) || statusOf(one) === undefined);
  if (banned === undefined) return 'The key that kept sending got 429 and no other sign of a ban';
  return `The key that kept sending was banned: request ${banned.n} ${statusText(banned)}`;
}

/** @param last the last request beyond the limit, before the two tries. */
function judgeRejected(
  { exchanges, anotherClient }: ScenarioEvidence,
  seen: string,
  [last, first, second]: readonly [last: Exchange, first: Exchange, second: Exchange],
): Judgement {
  const answers = `request ${first.n} returned ${statusOf(first) ?? 'nothing'} and request ${second.n} ${statusOf(second) ?? 'nothing'}`;
  const perhaps = `${seen}; later ${answers}`;
  if (![first, second].every((one) => isKeyRejected(one) || isRateLimited(one)))
    return inconclusive(`${perhaps}, which says nothing about the key.`);
  if (![last, first, second].every(announcesEnd))
    return inconclusive(
      `${perhaps}. Not all of these responses announce when the key is accepted again, and the specification leaves open how long a ban lasts.`,
    );
  if (![first, second].every((one) => waitedFor(one, exchanges)))
    return inconclusive(`${perhaps}, before every announced wait was over.`);
  if (anotherClient !== undefined) return inconclusive(`${perhaps}. ${anotherClient}`);
  const seconds = literalWaitSeconds(first) ?? 0;
  return fail({
    expected: 'a key that is accepted after the announced wait',
    received: `${statusOf(first)} for request ${first.n} and ${statusOf(second)} for request ${second.n}, each sent after Retry-After had passed, the second after a wait of its own of ${countOf(seconds, 'second')}`,
    reasoning: `${seen}.`,
  });
}

/** Whether a response announces in seconds when to try again; another unit shows at its own Reset. */
const announcesEnd = (exchange: Exchange): boolean =>
  literalWaitSeconds(exchange) !== undefined && apparentWaitUnit(exchange) === undefined;

const waitedFor = (one: Exchange, exchanges: readonly Exchange[]): boolean =>
  exchanges.every((earlier) => earlier.n >= one.n || (endOfWait(earlier) ?? 0) <= one.sent.mono);
