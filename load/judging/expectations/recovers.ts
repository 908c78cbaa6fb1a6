import { capitalized, countOf, secondsText } from '../../../kernel/basics/text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { entry } from '../../../spec/register.ts';
import { ascending, latencySamples } from '../../model/latency.ts';
import type { Sample } from '../../model/sample.ts';
import { isMalformed } from '../../model/sample.ts';
import { breakdownOf, whyLate } from '../completeness.ts';
import type { LoadEvidence, RunExpectation } from '../evidence.ts';
import { counterText, dueAt, phaseOf } from '../evidence.ts';
import { foldAll } from '../fold.ts';
import { chanceOfHigherRanks } from '../rank-test.ts';
import {
  compareLatency,
  ENOUGH_RESPONSES,
  medianOf,
  medianText,
  msText,
  responseMs,
  UNCERTAIN,
  wouldHaveShown,
} from '../slower.ts';
import type { LatencyTrend, SpikePhases } from '../trends.ts';
import {
  errorHalves,
  firstAndLast,
  judgeTrend,
  recoveryMs,
  spikeFigures,
  spikePhases,
  trendOf,
} from '../trends.ts';

/** Latency during the burst is reported and not judged: the specification promises no speed. */
export const recoversAfterBurst: RunExpectation = {
  entry: entry('RECOVERS'),
  whyItMatters: 'A short peak makes the service slow for everyone after it.',
  passRequires: 'every request on schedule',
  scope: 'all keys',
  phases(evidence) {
    const phases = spikePhases(evidence);
    return phases === undefined ? [] : spikeFigures(phases, evidence.oneOf);
  },
  judge(evidence) {
    const phases = spikePhases(evidence);
    if (phases === undefined) return inconclusive('No burst was sent: there is nothing to recover from.');
    const breakdown = breakdownOf(evidence);
    if (breakdown === undefined) return recoveredLatency(phases, evidence);
    const text = `After the burst began, ${breakdown.text}`;
    if (breakdown.by === 'network') return inconclusive(`${text}: the network did not lead to the target.`);
    return fail({
      expected: 'a target that serves on after the burst',
      received: 'a breakdown after it began',
      reasoning: `${capitalized(breakdown.text)}${breakdown.by === 'silent' ? ', unless the network failed at that moment' : ''}.`,
    });
  },
};

function recoveredLatency(phases: SpikePhases, evidence: LoadEvidence): Judgement {
  const [before, during, after] = [phases.before, phases.during, phases.after].map(latencySamples) as [
    readonly Sample[],
    readonly Sample[],
    readonly Sample[],
  ];
  const figures = `${medianText(before)} before the burst, ${medianText(during)} in it and ${medianText(after)} after it`;
  const text = `The median latency was ${figures}`;
  if (Math.min(before.length, after.length) < ENOUGH_RESPONSES)
    return inconclusive(
      `${text}; with fewer than ${ENOUGH_RESPONSES} responses before or after it, recovery cannot be judged: use more keys.`,
    );
  const when = recoveryText(phases);
  const found = compareLatency(after, before);
  const comparison = found === 'uncertain' && lingers(phases) ? 'slowed' : found;
  if (comparison === 'unaffected') return pass(`${text}; ${when}. After it, ${wouldHaveShown(before)}.`);
  if (comparison === 'uncertain') return inconclusive(`${text}. ${UNCERTAIN}`);
  const late = whyLate(evidence);
  if (comparison === 'sent late' || late !== undefined)
    return inconclusive(`${text}, but this machine sent requests late, so that proves nothing.`);
  return fail({
    expected: 'about the same latency after the burst as before it',
    received: `a median of ${figures}`,
    reasoning: `${capitalized(when)}.`,
  });
}

/** How likely responses after a burst that were as fast as before may look slower, where the burst itself was slow beyond doubt. */
const LINGERING_CHANCE = 0.01;

/** Whether the burst was slow beyond doubt and the responses after it, slower by the median, are the rest of that: then less is needed to tell. */
function lingers({ before, during, after }: SpikePhases): boolean {
  const [usual, burst, rest] = [latencySamples(before), latencySamples(during), latencySamples(after)];
  return (
    burst.length >= ENOUGH_RESPONSES &&
    compareLatency(burst, usual) === 'slowed' &&
    chanceOfHigherRanks(rest.map(responseMs), usual.map(responseMs)) < LINGERING_CHANCE
  );
}

/** When latency was again what it was before; the time between requests bounds how exactly that is known. */
function recoveryText(phases: SpikePhases): string {
  const recovered = recoveryMs(phases);
  if (recovered === undefined) return 'it was not back to what it was before when the run ended';
  const [first] = phases.after;
  return first !== undefined && dueAt(first) - phases.burst.until === recovered
    ? `the first request after it, ${secondsText(recovered)} later, was answered as fast as before`
    : `it was back to what it was before ${secondsText(recovered)} after the burst`;
}

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
    const latency = steadyLatency(samples, evidence);
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

function steadyLatency(samples: readonly Sample[], evidence: LoadEvidence): Judgement {
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
