import { dayQuota, overrun } from '../../../rate-limits/overrun.ts';
import { waitScale } from '../../../rate-limits/refusals.ts';
import { accepted, isRateLimited, readingOf, seriesOf } from '../../../rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import { count, seconds } from '../../../suites/evidence/quote.ts';
import type { ScenarioEvidence } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, judgeScenarios, pass } from '../expectation.ts';
import { retryAfterProblem } from '../retried.ts';

export const day: Expectation = {
  id: 'DAY',
  expects: 'The day’s quota is accepted in full, and further requests get a 429 until the day ends.',
  rests: 'on every request and its time',
  judge: ({ scenarios, limits }) =>
    judgeScenarios(
      scenarios.filter(({ planned }) => planned > limits.perDay),
      (scenario) => judgeDay(scenario, limits),
      'No key sent more than the quota of its day.',
    ),
};

function judgeDay(scenario: ScenarioEvidence, limits: Limits): LoadJudgement | undefined {
  const { exchanges } = scenario;
  if (exchanges.length === 0) return undefined;
  const over = overrunOfDay(scenario, limits);
  if (over !== undefined) return fail(over);
  const problem = exchanges
    .filter(isRateLimited)
    .map(retryAfterProblem)
    .find((text) => text !== undefined);
  if (problem !== undefined) return fail(problem);
  const ends = exchanges.find((one) => isRateLimited(one) && waitScale(one, limits) === 'longer');
  const got = exchanges.filter(
    (one) => accepted(one) && (ends === undefined || one.sent.mono < ends.sent.mono),
  ).length;
  if (ends === undefined) {
    return inconclusive(
      exchanges.some(isRateLimited)
        ? `${got} of ${limits.perDay} were accepted, and no 429 speaks of the day.`
        : `All ${got} were accepted, ${got - limits.perDay} more than a day’s quota; a day that began anew meanwhile would be lawful.`,
    );
  }
  if (got >= limits.perDay)
    return pass(
      `${got} of ${limits.perDay} were accepted, then request ${ends.n} was answered 429 for the rest of the day.`,
    );
  return early(scenario, ends.n, got, limits);
}

/** Fewer than the quota: the target's doing only where its own first answer says that the day was untouched. */
function early(scenario: ScenarioEvidence, n: number, got: number, limits: Limits): LoadJudgement {
  const [first] = scenario.exchanges;
  const reading = first === undefined ? undefined : readingOf(first);
  const fresh = reading?.limit === limits.perDay && reading.remaining >= limits.perDay - 1;
  const text = `request ${n} was refused for longer than a minute when ${got} of ${limits.perDay} were accepted`;
  if (fresh && scenario.disturbance === undefined)
    return fail(`Expected the whole quota of an untouched day, but ${text}.`);
  return inconclusive(
    `Of the day ${text}; some of it may have been used before the run. ${count(limits.perDay - got, 'request')} are missing.`,
  );
}

/** The arithmetic of a minute, with the day in its place. */
function overrunOfDay({ exchanges }: ScenarioEvidence, limits: Limits): string | undefined {
  const { limit } = dayQuota(limits);
  const asMinute = { ...limits, perMinute: limit, minuteSeconds: limits.daySeconds };
  const found = seriesOf(exchanges, asMinute)
    .map((series) => overrun(series, asMinute))
    .find((one) => one !== undefined);
  if (found === undefined) return undefined;
  return `Expected at most ${found.allowed} accepted in ${seconds(found.milliseconds)} of a day, but ${found.accepted} were, up to request ${found.last.n}.`;
}
