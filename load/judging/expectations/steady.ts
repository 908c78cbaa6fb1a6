import { capitalized, countOf } from '../../../kernel/basics/text.ts';
import { firstFound, medianOfNumbers } from '../../../kernel/exchanges/collections.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import type { LoadPhase } from '../../../kernel/findings/load.ts';
import { keyText } from '../../model/key-list.ts';
import { ascending, latencyMs, latencySamples, nearestMedian } from '../../model/latency.ts';
import type { Sample } from '../../model/sample.ts';
import { isError, isMalformed } from '../../model/sample.ts';
import { breakdownOf } from '../completeness.ts';
import type { LoadEvidence } from '../evidence.ts';
import { dueAt, phaseOf } from '../evidence.ts';
import { foldAll } from '../fold.ts';
import { chanceOfHigherRanks } from '../rank-test.ts';
import type { Comparison } from '../slower.ts';
import {
  compareLatency,
  FALSE_ALARM_CHANCE,
  judgedSpeed,
  medianOf,
  msText,
  responseMs,
  slowFrom,
} from '../slower.ts';

const ROWS = 10;

/** Latency as such is not judged, only its growth: the specification promises no speed. */
export function staysSteady(evidence: LoadEvidence): Judgement {
  const samples = pacedSamples(evidence);
  const breakdown = breakdownOf(evidence);
  const minutes = lengthText(samples);
  if (breakdown?.by === 'target')
    return fail({
      expected: 'a target that serves on under the same load',
      received: `a breakdown after ${minutes}`,
      reasoning: `${capitalized(breakdown.text)}.`,
    });
  return foldAll([steadyLatency(samples, evidence), errorsIn(samples), countersIn(evidence)]);
}

const pacedSamples = ({ scenarios }: LoadEvidence): readonly Sample[] =>
  scenarios
    .flatMap(({ samples }) => samples)
    .filter(({ kind }) => kind === 'paced')
    .sort((a, b) => dueAt(a) - dueAt(b));

function steadyLatency(samples: readonly Sample[], evidence: LoadEvidence): Judgement {
  const answered = latencySamples(samples);
  const trend = trendOf(answered);
  if (trend === undefined)
    return inconclusive(
      `${answered.length} responses are too few for a trend of latency: 80 or more are needed, by a longer soak or more keys.`,
    );
  const [first, last] = firstAndLast(answered);
  const figures = `${msText(medianOf(first))} in the first quarter of ${lengthText(samples)} and ${msText(medianOf(last))} in the last`;
  const text = `the median latency was ${figures}; ${trendText(trend)}`;
  return judgedSpeed(changeOf(trend, answered), evidence, {
    unaffected: `Latency did not grow by what matters: ${text}.`,
    uncertain: `Latency may have grown: ${text}.`,
    late: `This machine sent requests late, so its latencies prove nothing: ${text}.`,
    slowed: {
      expected: 'no growth of latency under the same load',
      received: `a median of ${figures}`,
      reasoning: `${capitalized(trendText(trend))}.`,
    },
  });
}

const HOUR_MS = 3_600_000;

function trendText({ slope, low, high }: Growth): string {
  const [trend, from, to] = [slope, low, high].map((one) => perHour(one * HOUR_MS));
  return `its trend is ${trend} per hour (99.98 % interval ${from} to ${to})`;
}

const perHour = (value: number): string =>
  `${value > 0 ? '+' : ''}${Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 2))} ms`;

/** More errors than chance explains in the second half, and more than one in a hundred. */
function errorsIn(samples: readonly Sample[]): Judgement {
  const half = Math.floor(samples.length / 2);
  const [early, late] = [samples.slice(0, half), samples.slice(half)];
  const [first, second] = [early.filter(isError).length, late.filter(isError).length];
  const marks = (some: readonly Sample[]): readonly number[] => some.map((one) => Number(isError(one)));
  const grew =
    second > late.length / 100 && chanceOfHigherRanks(marks(late), marks(early)) < FALSE_ALARM_CHANCE;
  const text = `${countOf(first, 'request')} of the first half and ${second} of the second got a 5xx or no response`;
  if (!grew) return pass(first + second === 0 ? 'No request got a 5xx or no response.' : `${text}.`);
  const byTarget = samples.some(({ outcome }) => outcome.kind === 'answer' && outcome.status >= 500);
  if (byTarget)
    return fail({
      expected: 'no growth of errors under the same load',
      received: `a 5xx or no response for ${countOf(first, 'request')} of the first half and ${second} of the second`,
    });
  const malformed = samples.some(
    ({ outcome }) => outcome.kind === 'no-response' && isMalformed(outcome.error),
  );
  const cause = malformed
    ? 'Some of them are malformed responses, which k6 cannot read (NO-5XX)'
    : 'The network may have lost them';
  return inconclusive(`Errors grew under the same load: ${text}. ${cause}.`);
}

/** Another client of a key explains every drift of its counter. */
function countersIn({ scenarios }: LoadEvidence): Judgement {
  const client = firstFound(scenarios, ({ anotherClient }) => anotherClient);
  if (client !== undefined) return inconclusive(client);
  const found = scenarios.flatMap(({ key, drift }) => (drift === undefined ? [] : [{ key, ...drift }]));
  const [worst] = found.toSorted((a, b) => Math.abs(b.late - b.early) - Math.abs(a.late - a.early));
  if (worst === undefined) return pass('Drift of counters was not judged: it needs eight windows.');
  const low = `the lowest Remaining of a window was ${worst.early} early and ${worst.late} late in the run`;
  return worst.drifted
    ? inconclusive(
        `Under the same load, ${low} (${keyText(worst.key)}): the counter drifts, or another client uses the key.`,
      )
    : pass(`Counters did not drift: of ${countOf(found.length, 'key')}, ${low} where they differ most.`);
}

function lengthText(samples: readonly Sample[]): string {
  const [first, last] = [samples[0], samples.at(-1)];
  const seconds = first === undefined || last === undefined ? 0 : (dueAt(last) - dueAt(first)) / 1000;
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

export function tenthsOf(evidence: LoadEvidence): readonly LoadPhase[] {
  const samples = pacedSamples(evidence);
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [from, until] = [dueAt(first) - 1, dueAt(last)];
  return Array.from({ length: ROWS }, (_, row) => {
    const at = (part: number): number => from + (part * (until - from)) / ROWS;
    const span = { from: at(row), until: at(row + 1) };
    const own = samples.filter((one) => dueAt(one) > span.from && dueAt(one) <= span.until);
    return phaseOf(`tenth ${row + 1}`, { samples: own, all: samples, span, oneOf: evidence.oneOf });
  });
}

export interface Point {
  readonly at: number;
  readonly value: number;
}

type Growth = NonNullable<ReturnType<typeof growthOf>>;

/** The normal quantile of a chance of 1 in 10,000 on one side: `FALSE_ALARM_CHANCE`. */
const QUANTILE = 3.719;

/**
 * The slope of Theil and Sen: the median of the slopes between all pairs of points, with the interval that Sen (1968)
 * derives from the distribution of Kendall's statistic. Neither assumes a shape of the errors, and a few outliers
 * hardly change them. Undefined where there are too few points for the interval to be bounded: fewer than 10.
 * @returns also the ends of an interval that contains the slope of a straight line, apart from a chance of
 * `FALSE_ALARM_CHANCE` on each side.
 */
export function growthOf(points: readonly Point[]) {
  const slopes = ascending(
    points.flatMap((a, i) =>
      points.slice(i + 1).flatMap((b) => (b.at === a.at ? [] : [(b.value - a.value) / (b.at - a.at)])),
    ),
  );
  const n = points.length;
  const spread = QUANTILE * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const low = slopes[Math.floor((slopes.length - spread) / 2) - 1];
  const high = slopes[Math.ceil((slopes.length + spread) / 2)];
  if (low === undefined || high === undefined) return undefined;
  const slope = medianOfNumbers(slopes);
  const from = points[0]?.at ?? 0;
  const start = medianOfNumbers(points.map(({ at, value }) => value - slope * (at - from)));
  return { slope, low, high, start, span: (points.at(-1)?.at ?? 0) - from };
}

/** The most slots of a trend: more would not make its interval much narrower. */
const MOST_SLOTS = 60;

/** The fewest responses of a slot: their median is not decided by one or two slow ones. */
const FEWEST_IN_SLOT = 8;

/**
 * The trend of the median latencies of slots with equally many responses, in milliseconds of latency and of time;
 * undefined of fewer than about 80 responses.
 */
function trendOf(answered: readonly Sample[], measure = latencyMs): Growth | undefined {
  const slots = Math.min(MOST_SLOTS, Math.floor(answered.length / FEWEST_IN_SLOT));
  const points = Array.from({ length: slots }, (_, slot) => {
    const own = answered.slice(
      Math.floor((slot * answered.length) / slots),
      Math.floor(((slot + 1) * answered.length) / slots),
    );
    return { at: nearestMedian(own.map(dueAt)), value: nearestMedian(own.map(measure)) };
  });
  return growthOf(points);
}

/** Whether a trend is certain, and as large over the run as a difference that matters: even the lower end of its interval. */
const isGrowth = (trend: Growth): boolean => isLargeGrowth(trend, trend.low);

const isLargeGrowth = ({ start, span }: Growth, slope: number): boolean =>
  slope > 0 && start + slope * span > slowFrom(Math.max(0, start));

/**
 * How latency changed in a run with a constant load: by its trend, and by the last quarter of its responses
 * against the first, since what fails late and suddenly is no line.
 * @param answered in the order in which they were due.
 */
function changeOf(trend: Growth, answered: readonly Sample[]): Comparison {
  const fromSent = trendOf(answered, responseMs) ?? trend;
  if (isGrowth(trend) && isGrowth(fromSent)) return 'slowed';
  const [first, last] = firstAndLast(answered);
  const comparison = compareLatency(last, first);
  if (comparison !== 'unaffected' || !isGrowth(trend)) return comparison;
  return isLargeGrowth(fromSent, fromSent.slope) ? 'uncertain' : 'sent late';
}

function firstAndLast(samples: readonly Sample[]): readonly [readonly Sample[], readonly Sample[]] {
  const quarter = Math.floor(samples.length / 4);
  return [samples.slice(0, quarter), samples.slice(samples.length - quarter)];
}
