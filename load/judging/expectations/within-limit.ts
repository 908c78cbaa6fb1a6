import type { Exchange } from '../../../exchanges/exchange.ts';
import { couldBeRateLimited, spanOf } from '../../../rate-limits/possible-429.ts';
import { waitScale } from '../../../rate-limits/refusals.ts';
import type { Series, Step } from '../../../rate-limits/series.ts';
import { accepted, isRateLimited, readingOf } from '../../../rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import { count } from '../../../suites/evidence/quote.ts';
import { attribute } from '../attribution.ts';
import type { ScenarioEvidence } from '../evidence.ts';
import { exchangesOf } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, judgeScenarios, pass } from '../expectation.ts';
import { countsApart } from '../sharing.ts';

/** So many refusals of a lane are weighed; the first one tells nearly always. */
const WEIGHED = 20;

export const no429: Expectation = {
  id: 'NO-429',
  expects: 'A client that stays below the limit never receives a 429.',
  rests: 'on every request and its time',
  judge: ({ scenarios, limits }) =>
    judgeScenarios(
      scenarios,
      (scenario) =>
        judgeNo429(scenario, limits, scenarios.length > 1 ? { together: exchangesOf(scenarios) } : {}),
      'Not one request was sent.',
    ),
};

/** What is known beyond a lane about what counts against its key. */
interface Beyond {
  /** What can count against the key; without it, what the lane itself shows. */
  readonly counting?: readonly Exchange[];
  /** The requests of every key that may be of the same caller. */
  readonly together?: readonly Exchange[];
}

/** Whether a lane that stays below its limit was refused, and by whose doing. */
export function judgeNo429(
  scenario: ScenarioEvidence,
  limits: Limits,
  beyond: Beyond,
): LoadJudgement | undefined {
  const limitedExchanges = scenario.exchanges.filter(isRateLimited);
  const [first] = limitedExchanges;
  if (first === undefined) {
    const answered = scenario.exchanges.filter(accepted).length;
    return answered === 0
      ? undefined
      : pass(`None of ${count(scenario.exchanges.length, 'request')} was refused.`);
  }
  const many = `${limitedExchanges.length} of ${count(scenario.exchanges.length, 'request')} were answered 429`;
  const weighed = limitedExchanges
    .slice(0, WEIGHED)
    .map((one) => ({ one, ...attribute(scenario, one, limits, beyond.counting) }));
  const nonConforming = weighed.find((one) => one.nonConforming);
  if (nonConforming === undefined)
    return inconclusive(`${many}, the first of them request ${first.n}. ${weighed[0]?.text ?? ''}`);
  const { one, text } = nonConforming;
  if (beyond.together !== undefined && isShared(scenario, one, beyond.together, limits)) {
    return inconclusive(
      `${many}, such as request ${one.n}. Keys of one account may count together: give keys of different callers.`,
    );
  }
  return fail(`Expected no refusal, but ${many}, such as request ${one.n}. ${text}`);
}

/** Whether the keys may be of one account, and their requests together the reason. */
const isShared = (
  scenario: ScenarioEvidence,
  limited: Exchange,
  all: readonly Exchange[],
  limits: Limits,
): boolean => !countsApart(scenario, all, limits) && couldBeRateLimited(spanOf(limited), all, limits);

export const floor: Expectation = {
  id: 'FLOOR',
  expects: 'A full quota accepts as many requests as the limit states.',
  rests: 'on every request',
  judge: ({ scenarios, limits }) =>
    judgeScenarios(
      scenarios.filter(({ planned }) => planned >= limits.perMinute),
      (scenario) => judgeFloor(scenario, limits),
      'No key sent as many requests as its limit.',
    ),
};

function judgeFloor(scenario: ScenarioEvidence, limits: Limits): LoadJudgement | undefined {
  const limited = scenario.exchanges.find(isRateLimited);
  const most = mostInOneWindow(scenario.exchanges.filter(accepted), limits);
  const verdict = limited === undefined ? undefined : attribute(scenario, limited, limits);
  if (limited !== undefined && verdict?.nonConforming === true) {
    return fail(
      `Expected ${limits.perMinute} requests to be accepted, but request ${limited.n} was answered 429 when ${most} were. ${verdict.text}`,
    );
  }
  // The look may lie in the window before, where the target's window ended between it and the burst.
  if (most === limits.perMinute - 1)
    return pass(`${most} of ${limits.perMinute} were accepted within one window, and the look in another.`);
  if (most >= limits.perMinute) return pass(`All ${limits.perMinute} were accepted within one window.`);
  if (scenario.exchanges.length === 0) return undefined;
  return inconclusive(
    `Only ${most} of ${limits.perMinute} were accepted within one window. ${verdict?.text ?? 'They were not sent within one window.'}`,
  );
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

export const promise: Expectation = {
  id: 'REMAINING',
  expects: 'No request gets a 429 for the minute directly after Remaining was above zero.',
  rests: 'on every request',
  judge: ({ scenarios, limits }) =>
    judgeScenarios(
      scenarios,
      (scenario) => judgePromises(scenario, limits),
      'No answer promised anything that was asked for.',
    ),
};

/** A refusal right after an answer that left room for it. Beyond the first one of a stretch a penalty may hold. */
function judgePromises(scenario: ScenarioEvidence, limits: Limits): LoadJudgement | undefined {
  let kept = 0;
  for (const series of scenario.series) {
    for (const [step, before] of promises(series, limits)) {
      const limited = step.exchanges.find(isRateLimited);
      if (limited === undefined) {
        kept += step.exchanges.length;
        continue;
      }
      const text = `request ${before.n} promised ${readingOf(before)?.remaining} and request ${limited.n} right after it was answered 429`;
      return judgeBroken(scenario, limited, limits, text);
    }
  }
  return kept === 0
    ? undefined
    : pass(`Each of ${count(kept, 'request')} that Remaining had promised was accepted.`);
}

function judgeBroken(
  scenario: ScenarioEvidence,
  limited: Exchange,
  limits: Limits,
  text: string,
): LoadJudgement {
  if (scenario.disturbance !== undefined)
    return inconclusive(`Perhaps broken: ${text}. ${scenario.disturbance}`);
  if (waitScale(limited, limits) === 'window') return fail(`Expected Remaining to be kept, but ${text}.`);
  return inconclusive(
    `Perhaps broken: ${text}. But the wait that it asks for, or the lack of one, does not show the limit of the minute.`,
  );
}

/** What was sent right after an answer that left room for all of it, with that answer, up to the first refusal. */
function promises(series: Series, limits: Limits): readonly (readonly [Step, Exchange])[] {
  const end = series.findIndex(({ exchanges }) => exchanges.some(isRateLimited));
  const steps = end === -1 ? series : series.slice(0, end + 1);
  return steps.flatMap((step, i) => {
    const before = steps[i - 1]?.reading;
    const covered =
      before?.limit === limits.perMinute && before.remaining >= Math.max(1, step.exchanges.length);
    return covered && before !== undefined ? [[step, before.exchange] as const] : [];
  });
}
