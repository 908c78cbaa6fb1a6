import { greatest } from '../../../exchanges/extremes.ts';
import { overrun } from '../../../rate-limits/overrun.ts';
import { isRateLimited } from '../../../rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import { count, seconds } from '../../../suites/evidence/quote.ts';
import type { ScenarioEvidence } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, judgeScenarios, pass } from '../expectation.ts';
import { retryAfterProblem } from '../retried.ts';

const scenariosBeyond = (
  scenarios: readonly ScenarioEvidence[],
  { perMinute }: Limits,
): readonly ScenarioEvidence[] =>
  scenarios.filter(
    ({ steps, planned }) =>
      planned > perMinute &&
      steps.some(({ kind }) => kind !== 'preflight' && kind !== 'await full quota' && kind !== 'paced'),
  );

export const ceiling: Expectation = {
  id: 'CEILING',
  expects: 'The target accepts no more requests than any conforming limiter of the plan.',
  rests: 'on every request',
  judge: ({ scenarios, limits }) =>
    judgeScenarios(
      scenariosBeyond(scenarios, limits),
      (scenario) => judgeCeiling(scenario, limits),
      'No key sent more than its limit at a stretch.',
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
      `None of ${sent} requests at a stretch was refused, but a lawful limiter may have given back enough meanwhile.`,
    );
  }
  return pass(
    `Of ${sent} requests at a stretch no more were accepted than a lawful limiter of ${limits.perMinute} accepts.`,
  );
}

function overrunText(series: ScenarioEvidence['series'][number], limits: Limits): string | undefined {
  const found = overrun(series, limits);
  if (found === undefined) return undefined;
  return `Expected at most ${found.allowed} accepted in ${seconds(found.milliseconds)}, but ${found.accepted} were, up to request ${found.last.n}.`;
}

export const limitedBeyond: Expectation = {
  id: 'RATE-LIMITED',
  expects: 'At least one request beyond the limit gets a 429, and every 429 has a Retry-After.',
  rests: 'on every request',
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
    return pass(`${count(limitedExchanges.length, 'refusal')} came, each with a Retry-After.`);
  const over = series.map((one) => overrunText(one, limits)).find((text) => text !== undefined);
  if (over !== undefined) return fail(`Expected a 429 beyond the limit, but none came. ${over}`);
  return inconclusive(
    `None of ${count(exchanges.length, 'request')} was answered 429, but a lawful limiter may have given back enough meanwhile.`,
  );
}
