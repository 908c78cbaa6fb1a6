import { capitalized, countOf } from '../../../kernel/basics/text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { entry } from '../../../spec/register.ts';
import { ascending, latencySamples } from '../../model/latency.ts';
import { isMalformed } from '../../model/malformed.ts';
import type { Sample } from '../../model/sample.ts';
import { breakdownOf } from '../breakdown.ts';
import { whyLate } from '../completeness.ts';
import { counterText } from '../counter-drift.ts';
import type { LoadEvidence } from '../evidence.ts';
import type { RunExpectation } from '../expectation.ts';
import { foldAll } from '../fold.ts';
import { dueAt, phaseOf } from '../phases.ts';
import { medianOf, msText, UNCERTAIN } from '../slower.ts';
import type { LatencyTrend } from '../soak-trend.ts';
import { errorHalves, firstAndLast, judgeTrend, trendOf } from '../soak-trend.ts';

/** How many rows a soak has in the report. */
const ROWS = 10;

/** Latency as such is not judged, only its growth: the specification promises no speed. */
export const staysSteady: RunExpectation = {
  entry: entry('STEADY'),
  whyItMatters: 'A service that degrades under the same load fails sooner or later.',
  passRequires: 'every request on schedule',
  scope: 'all keys',
  phases: rowsOf,
  judge(evidence) {
    const samples = pacedSamples(evidence);
    const breakdown = breakdownOf(evidence);
    const minutes = lengthText(samples);
    if (breakdown?.by === 'target')
      return fail({
        expected: 'a target that serves on under the same load',
        received: `a breakdown after ${minutes}`,
        reasoning: `${capitalized(breakdown.text)}.`,
      });
    const errors = errorsIn(samples);
    const latency = ofLatency(samples, evidence);
    const counters = counterText(evidence.scenarios);
    const client = evidence.scenarios.find(({ anotherClient }) => anotherClient !== undefined)?.anotherClient;
    const counted =
      counters.drifted || client !== undefined ? inconclusive(client ?? counters.text) : pass(counters.text);
    return foldAll([latency, errors, counted]);
  },
};

/** The requests under the constant load, in the order in which they were due. */
const pacedSamples = ({ scenarios }: LoadEvidence): readonly Sample[] =>
  scenarios
    .flatMap(({ samples }) => samples)
    .filter(({ kind }) => kind === 'paced')
    .sort((a, b) => dueAt(a) - dueAt(b));

function ofLatency(samples: readonly Sample[], evidence: LoadEvidence): Judgement {
  const answered = latencySamples(samples);
  const [trend, verdict] = [trendOf(answered), judgeTrend(answered)];
  if (trend === undefined || verdict === undefined)
    return inconclusive(
      `${answered.length} responses are too few for a trend of latency: 80 or more are needed, by a longer soak or more keys.`,
    );
  const [first, last] = firstAndLast(answered);
  const figures = `${msText(medianOf(first))} in the first quarter of ${lengthText(samples)} and ${msText(medianOf(last))} in the last`;
  const text = `the median latency was ${figures}; ${trendText(trend)}`;
  if (verdict === 'steady') return pass(`Latency did not grow by what matters: ${text}.`);
  if (verdict === 'uncertain') return inconclusive(`Latency may have grown: ${text}. ${UNCERTAIN}`);
  const late = whyLate(evidence);
  if (verdict === 'sent late' || late !== undefined)
    return inconclusive(`This machine sent requests late, so its latencies prove nothing: ${text}.`);
  return fail({
    expected: 'no growth of latency under the same load',
    received: `a median of ${figures}`,
    reasoning: `${capitalized(trendText(trend))}.`,
  });
}

const HOUR_MS = 3_600_000;

function trendText({ slope, low, high }: LatencyTrend): string {
  const [trend, from, to] = [slope, low, high].map((one) => perHour(one * HOUR_MS));
  return `its trend is ${trend} per hour (99.98 % interval ${from} to ${to})`;
}

const perHour = (value: number): string =>
  `${value > 0 ? '+' : ''}${Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 2))} ms`;

function errorsIn(samples: readonly Sample[]): Judgement {
  const { first, second, grew } = errorHalves(samples);
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

function lengthText(samples: readonly Sample[]): string {
  const due = ascending(samples.map(dueAt));
  const seconds = ((due.at(-1) ?? 0) - (due[0] ?? 0)) / 1000;
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** Tenths of the run. */
function rowsOf(evidence: LoadEvidence) {
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
