import { dayQuota, overrun } from '../../../rate-limits/overrun.ts';
import { refusalScale } from '../../../rate-limits/refusals.ts';
import { accepted, readingOf, refused, seriesOf } from '../../../rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import { count, seconds } from '../../../suites/evidence/quote.ts';
import type { LaneEvidence } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, judgeLanes, pass } from '../expectation.ts';
import { retryAfterProblem } from '../retried.ts';

export const day: Expectation = {
  id: 'DAY',
  expects: 'The day’s quota is accepted, the next request refused until the day is over.',
  rests: 'on every request and its time',
  judge: ({ lanes, limits }) =>
    judgeLanes(
      lanes.filter(({ planned }) => planned > limits.perDay),
      (lane) => judgeDay(lane, limits),
      'No key sent more than the quota of its day.',
    ),
};

function judgeDay(lane: LaneEvidence, limits: Limits): LoadJudgement | undefined {
  const { exchanges } = lane;
  if (exchanges.length === 0) return undefined;
  const over = overrunOfDay(lane, limits);
  if (over !== undefined) return fail(over);
  const problem = exchanges
    .filter(refused)
    .map(retryAfterProblem)
    .find((text) => text !== undefined);
  if (problem !== undefined) return fail(problem);
  const ends = exchanges.find((one) => refused(one) && refusalScale(one, limits) === 'longer');
  const got = exchanges.filter(
    (one) => accepted(one) && (ends === undefined || one.sent.mono < ends.sent.mono),
  ).length;
  if (ends === undefined) {
    return inconclusive(
      exchanges.some(refused)
        ? `${got} of ${limits.perDay} were accepted, and no 429 speaks of the day.`
        : `All ${got} were accepted, ${got - limits.perDay} more than a day’s quota; a day that began anew meanwhile would be lawful.`,
    );
  }
  if (got >= limits.perDay)
    return pass(
      `${got} of ${limits.perDay} were accepted, then request ${ends.n} was answered 429 for the rest of the day.`,
    );
  return early(lane, ends.n, got, limits);
}

/** Fewer than the quota: the target's doing only where its own first answer says that the day was untouched. */
function early(lane: LaneEvidence, n: number, got: number, limits: Limits): LoadJudgement {
  const [first] = lane.exchanges;
  const reading = first === undefined ? undefined : readingOf(first);
  const fresh = reading?.limit === limits.perDay && reading.remaining >= limits.perDay - 1;
  const text = `request ${n} was refused for longer than a minute when ${got} of ${limits.perDay} were accepted`;
  if (fresh && lane.disturbance === undefined)
    return fail(`Expected the whole quota of an untouched day, but ${text}.`);
  return inconclusive(
    `Of the day ${text}; some of it may have been used before the run. ${count(limits.perDay - got, 'request')} are missing.`,
  );
}

/** The arithmetic of a minute, with the day in its place. */
function overrunOfDay({ exchanges }: LaneEvidence, limits: Limits): string | undefined {
  const { limit } = dayQuota(limits);
  const asMinute = { ...limits, perMinute: limit, minuteSeconds: limits.daySeconds };
  const found = seriesOf(exchanges, asMinute)
    .map((series) => overrun(series, asMinute))
    .find((one) => one !== undefined);
  if (found === undefined) return undefined;
  return `Expected at most ${found.allowed} accepted in ${seconds(found.milliseconds)} of a day, but ${found.accepted} were, up to request ${found.last.n}.`;
}
