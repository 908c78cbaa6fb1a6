import { capitalized, secondsText } from '../../../kernel/basics/text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { entry } from '../../../spec/register.ts';
import { latencySamples } from '../../model/latency.ts';
import type { Sample } from '../../model/sample.ts';
import { breakdownOf } from '../breakdown.ts';
import { whyLate } from '../completeness.ts';
import type { LoadEvidence } from '../evidence.ts';
import type { RunExpectation } from '../expectation.ts';
import { dueAt } from '../phases.ts';
import { chanceOfHigherRanks } from '../rank-test.ts';
import {
  compareLatency,
  ENOUGH_RESPONSES,
  medianText,
  responseMs,
  UNCERTAIN,
  wouldHaveShown,
} from '../slower.ts';
import type { SpikePhases } from '../spike-phases.ts';
import { recoveryMs, spikeFigures, spikePhases } from '../spike-phases.ts';

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
    if (breakdown === undefined) return ofLatency(phases, evidence);
    const text = `After the burst began, ${breakdown.text}`;
    if (breakdown.by === 'network') return inconclusive(`${text}: the network did not lead to the target.`);
    return fail({
      expected: 'a target that serves on after the burst',
      received: 'a breakdown after it began',
      reasoning: `${capitalized(breakdown.text)}${breakdown.by === 'silent' ? ', unless the network failed at that moment' : ''}.`,
    });
  },
};

function ofLatency(phases: SpikePhases, evidence: LoadEvidence): Judgement {
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
