import { countOf, secondsText } from '../../../kernel/basics/text.ts';
import { firstFound, greatest, least } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { isUndated } from '../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../kernel/findings/finding-text.ts';
import { factText } from '../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { advertisedBeyondOneReset, beyondOneReset } from '../../../kernel/rate-limits/bounds/one-reset.ts';
import { firstOverrun } from '../../../kernel/rate-limits/bounds/overrun.ts';
import { beyondUndatedReset } from '../../../kernel/rate-limits/bounds/windows.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Series } from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import { entry } from '../../../spec/register.ts';
import { answeredFromCache } from '../completeness.ts';
import type { KeyExpectation, ScenarioEvidence } from '../evidence.ts';
import { sendsInOnePiece } from '../fold.ts';
import { retryAfterProblemIn } from '../retries.ts';

export const neverBeyondLimit: KeyExpectation = {
  entry: entry('CEILING'),
  whyItMatters: 'A limit that accepts more does not protect the service, and its headers mislead clients.',
  passRequires: 'every request',
  scope: 'each key',
  judge: judgeCeiling,
  nothingJudged: 'No key sent as many requests as its limit without a pause.',
};

function judgeCeiling(scenario: ScenarioEvidence): Judgement | undefined {
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
  const found = firstOverrun(series, limits) ?? beyondOneReset(all, quota) ?? beyondUndatedReset(all, quota);
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

export const limitsBeyondLimit: KeyExpectation = {
  entry: entry('RATE-LIMITED'),
  whyItMatters: 'Clients learn from a 429 and its Retry-After that they have to wait, and for how long.',
  passRequires: 'every request',
  scope: 'each key',
  judge: judgeLimited,
  nothingJudged: 'No key sent more than its limit.',
};

function judgeLimited(scenario: ScenarioEvidence): Judgement | undefined {
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

/** Why more than the limit may be accepted, in a clause. */
function whyOpen(exchanges: ScenarioEvidence['exchanges'], { perMinute }: Limits): string {
  const served = exchanges.filter(accepted).length;
  if (served <= perMinute)
    return `only ${served} were accepted, which does not exceed the limit of ${perMinute}`;
  return exchanges.every(isUndated)
    ? 'without a Date header in any response nothing shows how far ahead Reset is, so a conforming limiter may have given back enough meanwhile'
    : 'a conforming limiter may have given back enough meanwhile';
}
