import { countOf, secondsText } from '../../../kernel/basics/text.ts';
import { firstFound, greatest, least } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { isUndated } from '../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../kernel/findings/finding-text.ts';
import { factText } from '../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import {
  couldBeRateLimited,
  decisionSpanOf,
  readingThatCovers,
} from '../../../kernel/rate-limits/attribution.ts';
import { advertisedBeyondOneReset, beyondOneReset } from '../../../kernel/rate-limits/bounds/one-reset.ts';
import { firstOverrun } from '../../../kernel/rate-limits/bounds/overrun.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Reading, Series } from '../../../kernel/rate-limits/series.ts';
import { upToFirst429 } from '../../../kernel/rate-limits/series.ts';
import { waitScale } from '../../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { KnownBeyond } from '../attribution.ts';
import { hasOwnCount, NON_CONFORMING, openText, whyCauseOpen } from '../attribution.ts';
import { answeredFromCache } from '../completeness.ts';
import type { ScenarioEvidence, Together } from '../evidence.ts';
import { sendsInOnePiece, unshownLimitText } from '../fold.ts';
import { retryAfterProblemIn } from './waits.ts';

/** How many 429 responses of a scenario are attributed at the most; the first one nearly always decides. */
const MOST_ATTRIBUTED = 20;

/** Whether a scenario that stays below its limit was rate-limited, and what caused it. */
export function judgeNo429(scenario: ScenarioEvidence, beyond: KnownBeyond = {}): Judgement | undefined {
  const used = usedBefore(scenario);
  const limitedExchanges = scenario.exchanges.filter((one) => isRateLimited(one) && one !== used);
  const [first] = limitedExchanges;
  if (first === undefined) {
    const answered = scenario.exchanges.filter(accepted).length;
    if (answered === 0) return undefined;
    return pass(
      used === undefined
        ? `None of ${countOf(scenario.exchanges.length, 'request')} was rate-limited.`
        : `The preflight request was rate-limited, as that of a key in use is; after the wait, none of ${countOf(scenario.exchanges.length - 1, 'request')} was.`,
    );
  }
  const many = `${limitedExchanges.length} of ${countOf(scenario.exchanges.length, 'request')} returned 429`;
  const attributed = limitedExchanges.slice(0, MOST_ATTRIBUTED);
  const nonConforming = attributed.find((one) => whyCauseOpen(scenario, one, beyond) === undefined);
  if (nonConforming === undefined)
    return inconclusive(
      `${many}, the first of them request ${first.n}. ${whyCauseOpen(scenario, first, beyond)}`,
    );
  if (beyond.together !== undefined && isShared(scenario, nonConforming, beyond.together)) {
    return inconclusive(
      `${many}, such as request ${nonConforming.n}. Keys of one account may be counted together: use keys of different callers.`,
    );
  }
  return fail({
    expected: 'no 429 below the limit',
    received: `a 429 for ${limitedExchanges.length} of ${countOf(scenario.exchanges.length, 'request')}, such as request ${nonConforming.n}`,
    reasoning: NON_CONFORMING,
  });
}

/** The preflight request where it was rate-limited, as that of a key in use is, and the scenario then waited for a full quota. */
function usedBefore({ exchanges, steps }: ScenarioEvidence): Exchange | undefined {
  const [preflight] = exchanges;
  const waits = steps[0]?.kind === 'preflight' && steps[1]?.kind === 'await full quota';
  return waits && preflight !== undefined && isRateLimited(preflight) ? preflight : undefined;
}

/**
 * Whether the keys may be of one account, and their requests together the cause. Where not all of them are known, they
 * may always be: no limiter of one plan would accept what so many keys send.
 */
const isShared = (
  scenario: ScenarioEvidence,
  limited: Exchange,
  { exchanges, complete }: Together,
): boolean =>
  !hasOwnCount(scenario, exchanges) &&
  (!complete || couldBeRateLimited(decisionSpanOf(limited), exchanges, scenario.limits));

export function acceptsFullLimit(scenario: ScenarioEvidence): Judgement | undefined {
  const { limits } = scenario;
  if (!sendsInOnePiece(scenario, limits.perMinute)) return undefined;
  const limited = scenario.exchanges.find(isRateLimited);
  const most = mostInOneWindow(scenario.exchanges.filter(accepted), limits);
  const open = limited && whyCauseOpen(scenario, limited);
  if (limited !== undefined && open === undefined && !isExplainedByCount(scenario, limited)) {
    return fail({
      expected: `${limits.perMinute} accepted requests within one window`,
      received: `no more than ${most}, and a 429 for request ${limited.n}`,
      reasoning: NON_CONFORMING,
    });
  }
  // The preflight request may lie in the window before, if that ended before the burst.
  if (most === limits.perMinute - 1)
    return pass(
      `${most} of ${limits.perMinute} were accepted within one window, and the preflight request in another.`,
    );
  if (most >= limits.perMinute) return pass(`All ${limits.perMinute} were accepted within one window.`);
  if (scenario.exchanges.length === 0) return undefined;
  return inconclusive(
    `Only ${most} of ${limits.perMinute} were accepted within one window. ${open ?? whyFewer(scenario)}`,
  );
}

/** Where what was sent explains a 429, only Remaining contradicts it, which is another expectation. */
const isExplainedByCount = ({ exchanges, limits }: ScenarioEvidence, limited: Exchange): boolean =>
  couldBeRateLimited(decisionSpanOf(limited), exchanges.filter(accepted), limits);

/** Why fewer than the limit were accepted, where no 429 says so, in one sentence. */
function whyFewer({ exchanges }: ScenarioEvidence): string {
  const others = exchanges.filter((one) => !accepted(one));
  return others.length === 0
    ? 'They were not sent within one window.'
    : `${countOf(others.length, 'request')} got another response, or none, such as request ${others[0]?.n}.`;
}

/** The most of these that were sent and answered within one window; one that took longer is in none. */
function mostInOneWindow(exchanges: readonly Exchange[], limits: Limits): number {
  const windowMs = limits.minuteSeconds * 1000;
  let most = 0;
  let from = 0;
  for (const [to, last] of exchanges.entries()) {
    const end = last.received.mono;
    while (from <= to && end - (exchanges[from]?.sent.mono ?? end) > windowMs) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

/** A 429 right after a response that showed quota for it. After the first 429 of a stretch a penalty may apply. */
export function no429WhileQuotaRemains(scenario: ScenarioEvidence): Judgement | undefined {
  let covered = 0;
  for (const series of scenario.series) {
    for (const step of upToFirst429(series)) {
      const before = readingThatCovers(series, step, scenario.limits);
      if (before === undefined) continue;
      const limited = step.exchanges.find(isRateLimited);
      if (limited === undefined) {
        covered += step.exchanges.length;
        continue;
      }
      return judgeUncovered(scenario, limited, before);
    }
  }
  return covered === 0
    ? undefined
    : pass(`Each of ${countOf(covered, 'request')} for which Remaining showed quota was not rate-limited.`);
}

function judgeUncovered(scenario: ScenarioEvidence, limited: Exchange, before: Reading): Judgement {
  const scale = waitScale(limited, scenario.limits);
  const open =
    scenario.anotherClient ??
    (scale === 'window' ? unshownLimitText(scenario, limited) : openText(scale, limited));
  return open === undefined
    ? fail({
        expected: 'no 429 while quota remains',
        received: `a 429 for request ${limited.n}, right after Remaining ${before.remaining} on request ${before.exchange.n}`,
      })
    : inconclusive(
        `Remaining may be wrong: request ${before.exchange.n} showed Remaining ${before.remaining} and request ${limited.n} right after it returned 429. ${open}`,
      );
}

export function neverBeyondLimit(scenario: ScenarioEvidence): Judgement | undefined {
  const { exchanges, series, limits } = scenario;
  if (!sendsInOnePiece(scenario, limits.perMinute)) return undefined;
  const promise = overrun(scenario) ?? overPromise(exchanges, limits);
  if (promise !== undefined) return fail(furtherReasoned(promise, answeredFromCache(exchanges)));
  const sent = greatest(series.map((one) => one.flatMap((step) => step.exchanges).length));
  // The preflight request may lie in a window before, so that fewer than the limit were sent without a pause.
  if (sent < limits.perMinute - 1) return undefined;
  if (sent <= limits.perMinute)
    return pass(
      'What was accepted and what Remaining then showed did not exceed together what a conforming limiter can give: the limit, and what flows back meanwhile.',
    );
  if (!exchanges.some(isRateLimited)) {
    return inconclusive(
      `None of ${sent} requests without a pause was rate-limited, but ${whyOpen(exchanges, limits)}.`,
    );
  }
  return pass(
    `Of ${sent} requests without a pause no more were accepted than a conforming limiter of ${limits.perMinute} accepts.`,
  );
}

/** What was accepted under one announced Reset, and what Remaining shows besides, where that is too much. */
function overPromise(exchanges: ScenarioEvidence['exchanges'], limits: Limits): Fact | undefined {
  const found = advertisedBeyondOneReset(exchanges, minuteQuota(limits));
  if (found === undefined) return undefined;
  const { accepted, remaining, allowed, milliseconds, last } = found;
  return {
    expected: `at most ${allowed} requests accepted and remaining together under one Reset`,
    received: `Remaining ${remaining} on request ${last.n} after ${accepted} accepted ones within ${secondsText(milliseconds)}`,
    reasoning: 'Requests were accepted and not counted.',
  };
}

const overrun = ({ series, limits }: ScenarioEvidence): Fact | undefined =>
  firstFound(series, (one) => overrunIn(one, limits));

function overrunIn(series: Series, limits: Limits): Fact | undefined {
  // A jump of Remaining under one Reset is no new window, so the whole series is judged by it as well.
  const all = series.flatMap(({ exchanges }) => exchanges);
  const quota = minuteQuota(limits);
  const found = firstOverrun(series, limits) ?? beyondOneReset(all, quota);
  if (found === undefined) return undefined;
  return {
    expected: `at most ${found.allowed} accepted requests in ${secondsText(found.milliseconds)}`,
    received: `${found.accepted}, up to request ${found.last.n}${andAfterwards(all, found.accepted)}`,
  };
}

/** How many were accepted in all before the first 429, in a clause, where they are more than those that prove the overrun. */
function andAfterwards(all: readonly Exchange[], proven: number): string {
  const first429 = least(all.filter(isRateLimited).map(({ received }) => received.mono));
  const served = all.filter((one) => accepted(one) && one.received.mono < first429);
  if (served.length <= proven) return '';
  const spanMs =
    greatest(served.map(({ received }) => received.mono)) - least(served.map(({ sent }) => sent.mono));
  const until = Number.isFinite(first429) ? ' before the first 429' : ', without any 429';
  return `; in all, ${served.length} were accepted in ${secondsText(spanMs)}${until}`;
}

export function limitsBeyondLimit(scenario: ScenarioEvidence): Judgement | undefined {
  const { exchanges, limits } = scenario;
  if (exchanges.length === 0 || !sendsInOnePiece(scenario, limits.perMinute + 1)) return undefined;
  const limitedExchanges = exchanges.filter(isRateLimited);
  const problem = retryAfterProblemIn(limitedExchanges);
  if (problem !== undefined) return fail(problem);
  if (limitedExchanges.length > 0)
    return pass(`${countOf(limitedExchanges.length, '429 response')} came, each with a Retry-After.`);
  const over = overrun(scenario);
  if (over !== undefined)
    return fail(
      furtherReasoned(
        { expected: 'a 429 beyond the limit', received: 'none' },
        factText(over),
        answeredFromCache(exchanges),
      ),
    );
  return inconclusive(
    `None of ${countOf(exchanges.length, 'request')} returned 429, but ${whyOpen(exchanges, limits)}.`,
  );
}

function whyOpen(exchanges: ScenarioEvidence['exchanges'], { perMinute }: Limits): string {
  const served = exchanges.filter(accepted).length;
  if (served <= perMinute)
    return `only ${served} were accepted, which does not exceed the limit of ${perMinute}`;
  return exchanges.every(isUndated)
    ? 'without a Date header in any response nothing shows how far ahead Reset is, so a conforming limiter may have given back enough meanwhile'
    : 'a conforming limiter may have given back enough meanwhile';
}
