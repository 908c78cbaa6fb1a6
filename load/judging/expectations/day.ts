import { secondsText } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Fact } from '../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { firstOverrun } from '../../../kernel/rate-limits/bounds/overrun.ts';
import { dayQuota } from '../../../kernel/rate-limits/quota.ts';
import { readingOf } from '../../../kernel/rate-limits/series/reading.ts';
import { seriesOf } from '../../../kernel/rate-limits/series/series.ts';
import { showsUntouched } from '../../../kernel/rate-limits/untouched.ts';
import { waitScale } from '../../../kernel/rate-limits/wait-scale.ts';
import type { Limits } from '../../../spec/plans.ts';
import { entry } from '../../../spec/register.ts';
import type { ScenarioEvidence } from '../evidence.ts';
import type { KeyExpectation } from '../expectation.ts';
import { retryAfterProblem } from '../retries.ts';

export const enforcesDay: KeyExpectation = {
  entry: entry('DAY'),
  whyItMatters: 'Customers plan their work by the quota of the day.',
  passRequires: 'every request on schedule',
  scope: 'each key',
  judge: judgeDay,
  nothingJudged: 'No key sent more than the quota of its day.',
};

function judgeDay(scenario: ScenarioEvidence): Judgement | undefined {
  const { exchanges, planned, limits } = scenario;
  if (exchanges.length === 0 || planned <= limits.perDay) return undefined;
  const over = overrunOfDay(exchanges, limits);
  if (over !== undefined) return fail(over);
  const problem = exchanges
    .filter(isRateLimited)
    .map(retryAfterProblem)
    .find((one) => one !== undefined);
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

/** The bounds of a minute, with the day in its place. */
function overrunOfDay(exchanges: readonly Exchange[], limits: Limits): Fact | undefined {
  const { limit } = dayQuota(limits);
  const asMinute = { ...limits, perMinute: limit, minuteSeconds: limits.daySeconds };
  const found = seriesOf(exchanges, asMinute)
    .map((series) => firstOverrun(series, asMinute))
    .find((one) => one !== undefined);
  if (found === undefined) return undefined;
  return {
    expected: `at most ${found.allowed} accepted requests in ${secondsText(found.milliseconds)} of a day`,
    received: `${found.accepted}, up to request ${found.last.n}`,
  };
}
