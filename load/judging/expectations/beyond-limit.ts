import { greatest } from '../../../exchanges/collections.ts';
import { isRateLimited } from '../../../exchanges/outcome-kinds.ts';
import { firstOverrun } from '../../../rate-limits/bounds/overrun.ts';
import type { Limits } from '../../../spec/plans.ts';
import { countOf, secondsText } from '../../../words/text.ts';
import type { ScenarioEvidence } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, judgeScenarios, pass } from '../expectation.ts';
import { EXCEEDING_STEPS } from '../neighbour-latency.ts';
import { retryAfterProblem } from '../retries.ts';

const scenariosBeyond = (
  scenarios: readonly ScenarioEvidence[],
  { perMinute }: Limits,
): readonly ScenarioEvidence[] =>
  scenarios.filter(
    ({ steps, planned }) => planned > perMinute && steps.some(({ kind }) => EXCEEDING_STEPS.has(kind)),
  );

export const neverBeyondLimit: Expectation = {
  id: 'CEILING',
  expected: 'No more requests are accepted than a conforming limiter of the plan can accept.',
  passRequires: 'every request',
  scope: 'each key',
  judge: ({ scenarios, limits }) =>
    judgeScenarios(
      scenariosBeyond(scenarios, limits),
      (scenario) => judgeCeiling(scenario, limits),
      'No key sent more than its limit without a pause.',
    ),
};

function judgeCeiling({ series }: ScenarioEvidence, limits: Limits): LoadJudgement | undefined {
  for (const one of series) {
    const text = overrunText(one, limits);
    if (text !== undefined) return fail(text);
  }
  const sent = greatest(series.map((one) => one.flatMap(({ exchanges }) => exchanges).length));
  if (sent <= limits.perMinute) return undefined;
  if (!series.flat().some(({ exchanges }) => exchanges.some(isRateLimited))) {
    return inconclusive(
      `None of ${sent} requests without a pause was rate-limited, but a conforming limiter may have given back enough meanwhile.`,
    );
  }
  return pass(
    `Of ${sent} requests without a pause no more were accepted than a conforming limiter of ${limits.perMinute} accepts.`,
  );
}

function overrunText(series: ScenarioEvidence['series'][number], limits: Limits): string | undefined {
  const found = firstOverrun(series, limits);
  if (found === undefined) return undefined;
  return `Expected at most ${found.allowed} accepted in ${secondsText(found.milliseconds)}, but ${found.accepted} were, up to request ${found.last.n}.`;
}

export const limitsBeyondLimit: Expectation = {
  id: 'RATE-LIMITED',
  expected: 'A key that exceeds its limit receives at least one 429, and each 429 has a Retry-After.',
  passRequires: 'every request',
  scope: 'each key',
  judge: ({ scenarios, limits }) =>
    judgeScenarios(
      scenariosBeyond(scenarios, limits),
      (scenario) => judgeLimited(scenario, limits),
      'No key sent more than its limit.',
    ),
};

function judgeLimited({ exchanges, series }: ScenarioEvidence, limits: Limits): LoadJudgement | undefined {
  if (exchanges.length === 0) return undefined;
  const limitedExchanges = exchanges.filter(isRateLimited);
  for (const exchange of limitedExchanges) {
    const problem = retryAfterProblem(exchange);
    if (problem !== undefined) return fail(problem);
  }
  if (limitedExchanges.length > 0)
    return pass(`${countOf(limitedExchanges.length, '429 response')} came, each with a Retry-After.`);
  const over = series.map((one) => overrunText(one, limits)).find((text) => text !== undefined);
  if (over !== undefined) return fail(`Expected a 429 beyond the limit, but none came. ${over}`);
  return inconclusive(
    `None of ${countOf(exchanges.length, 'request')} was answered 429, but a conforming limiter may have given back enough meanwhile.`,
  );
}
