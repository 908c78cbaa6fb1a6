import { countOf, secondsText } from '../../../kernel/basics/text.ts';
import { greatest, least } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isUndated } from '../../../kernel/exchanges/http-date.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { advertisedBeyondOneReset, beyondOneReset } from '../../../kernel/rate-limits/bounds/one-reset.ts';
import { firstOverrun } from '../../../kernel/rate-limits/bounds/overrun.ts';
import { beyondUndatedReset } from '../../../kernel/rate-limits/bounds/undated-reset.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { ScenarioEvidence } from '../evidence.ts';
import type { KeyExpectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';
import { retryAfterProblem } from '../retries.ts';
import { answeredFromCache } from '../stored.ts';
import { sendsInOnePiece } from '../unpaced.ts';

export const neverBeyondLimit: KeyExpectation = {
  id: 'CEILING',
  expected: 'The target never grants more than its plan allows (accepted plus Remaining).',
  passRequires: 'every request',
  scope: 'each key',
  judge: judgeCeiling,
  nothingJudged: 'No key sent as many requests as its limit without a pause.',
};

function judgeCeiling(scenario: ScenarioEvidence): LoadJudgement | undefined {
  const { exchanges, series, limits } = scenario;
  if (!sendsInOnePiece(scenario, limits.perMinute)) return undefined;
  const proof = series.map((one) => overrunText(one, limits)).find((text) => text !== undefined);
  const promise = proof ?? promiseText(exchanges, limits);
  if (promise !== undefined) return fail(`${promise}${answeredFromCache(exchanges)}`);
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

/** What was accepted under one announced Reset, and what Remaining shows besides, in one sentence where that is too much. */
function promiseText(exchanges: ScenarioEvidence['exchanges'], limits: Limits): string | undefined {
  const found = advertisedBeyondOneReset(exchanges, minuteQuota(limits));
  if (found === undefined) return undefined;
  const { accepted, remaining, allowed, milliseconds, last } = found;
  return `Expected at most ${allowed} accepted and remaining together under one Reset, but request ${last.n} showed Remaining ${remaining} after ${accepted} were accepted within ${secondsText(milliseconds)}: requests were accepted and not counted.`;
}

function overrunText(series: ScenarioEvidence['series'][number], limits: Limits): string | undefined {
  // A jump of Remaining under one Reset is no new window, so the whole series is judged by it as well.
  const all = series.flatMap(({ exchanges }) => exchanges);
  const quota = minuteQuota(limits);
  const found = firstOverrun(series, limits) ?? beyondOneReset(all, quota) ?? beyondUndatedReset(all, quota);
  if (found === undefined) return undefined;
  const text = `Expected at most ${found.allowed} accepted in ${secondsText(found.milliseconds)}, but ${found.accepted} were, up to request ${found.last.n}`;
  return `${text}${andAfterwards(all, found.accepted)}.`;
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
  id: 'RATE-LIMITED',
  expected: 'A key that exceeds its limit receives at least one 429, and each 429 has a Retry-After.',
  passRequires: 'every request',
  scope: 'each key',
  judge: judgeLimited,
  nothingJudged: 'No key sent more than its limit.',
};

function judgeLimited(scenario: ScenarioEvidence): LoadJudgement | undefined {
  const { exchanges, series, limits } = scenario;
  if (exchanges.length === 0 || !sendsInOnePiece(scenario, limits.perMinute + 1)) return undefined;
  const limitedExchanges = exchanges.filter(isRateLimited);
  for (const exchange of limitedExchanges) {
    const problem = retryAfterProblem(exchange);
    if (problem !== undefined) return fail(problem);
  }
  if (limitedExchanges.length > 0)
    return pass(`${countOf(limitedExchanges.length, '429 response')} came, each with a Retry-After.`);
  const over = series.map((one) => overrunText(one, limits)).find((text) => text !== undefined);
  if (over !== undefined)
    return fail(`Expected a 429 beyond the limit, but none came. ${over}${answeredFromCache(exchanges)}`);
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
