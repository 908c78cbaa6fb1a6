import { greatest } from '../../../exchanges/extremes.ts';
import { overrun } from '../../../rate-limits/overrun.ts';
import { refused } from '../../../rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import { count, seconds } from '../../../suites/evidence/quote.ts';
import type { LaneEvidence } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, judgeLanes, pass } from '../expectation.ts';
import { retryAfterProblem } from '../retried.ts';

const lanesBeyond = (lanes: readonly LaneEvidence[], { perMinute }: Limits): readonly LaneEvidence[] =>
  lanes.filter(
    ({ steps, planned }) =>
      planned > perMinute &&
      steps.some(({ kind }) => kind !== 'look' && kind !== 'find room' && kind !== 'paced'),
  );

export const ceiling: Expectation = {
  id: 'CEILING',
  expects: 'No more is accepted than any lawful limiter of the plan accepts.',
  rests: 'on every request',
  judge: ({ lanes, limits }) =>
    judgeLanes(
      lanesBeyond(lanes, limits),
      (lane) => judgeCeiling(lane, limits),
      'No key sent more than its limit at a stretch.',
    ),
};

function judgeCeiling({ series }: LaneEvidence, limits: Limits): LoadJudgement | undefined {
  for (const one of series) {
    const text = overrunText(one, limits);
    if (text !== undefined) return fail(text);
  }
  const sent = greatest(series.map((one) => one.flatMap(({ exchanges }) => exchanges).length));
  if (sent <= limits.perMinute) return undefined;
  if (!series.flat().some(({ exchanges }) => exchanges.some(refused))) {
    return inconclusive(
      `None of ${sent} requests at a stretch was refused, but a lawful limiter may have given back enough meanwhile.`,
    );
  }
  return pass(
    `Of ${sent} requests at a stretch no more were accepted than a lawful limiter of ${limits.perMinute} accepts.`,
  );
}

function overrunText(series: LaneEvidence['series'][number], limits: Limits): string | undefined {
  const found = overrun(series, limits);
  if (found === undefined) return undefined;
  return `Expected at most ${found.allowed} accepted in ${seconds(found.milliseconds)}, but ${found.accepted} were, up to request ${found.last.n}.`;
}

export const refusedBeyond: Expectation = {
  id: 'REFUSED',
  expects: 'Beyond the limit there is at least one 429, and each has a Retry-After.',
  rests: 'on every request',
  judge: ({ lanes, limits }) =>
    judgeLanes(
      lanesBeyond(lanes, limits),
      (lane) => judgeRefused(lane, limits),
      'No key sent more than its limit.',
    ),
};

function judgeRefused({ exchanges, series }: LaneEvidence, limits: Limits): LoadJudgement | undefined {
  if (exchanges.length === 0) return undefined;
  const refusals = exchanges.filter(refused);
  for (const exchange of refusals) {
    const problem = retryAfterProblem(exchange);
    if (problem !== undefined) return fail(problem);
  }
  if (refusals.length > 0) return pass(`${count(refusals.length, 'refusal')} came, each with a Retry-After.`);
  const over = series.map((one) => overrunText(one, limits)).find((text) => text !== undefined);
  if (over !== undefined) return fail(`Expected a 429 beyond the limit, but none came. ${over}`);
  return inconclusive(
    `None of ${count(exchanges.length, 'request')} was answered 429, but a lawful limiter may have given back enough meanwhile.`,
  );
}
