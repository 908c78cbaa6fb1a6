import { capitalized, secondsText } from '../../../kernel/basics/text.ts';
import { greatest, least } from '../../../kernel/exchanges/collections.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive } from '../../../kernel/findings/judgement.ts';
import type { LoadPhase } from '../../../kernel/findings/load.ts';
import { latencyMs, latencySamples } from '../../model/latency.ts';
import type { Sample } from '../../model/sample.ts';
import { breakdownOf } from '../completeness.ts';
import type { LoadEvidence, Span } from '../evidence.ts';
import { dueAt, phaseOf } from '../evidence.ts';
import { chanceOfHigherRanks } from '../rank-test.ts';
import {
  compareLatency,
  ENOUGH_RESPONSES,
  judgedSpeed,
  medianOf,
  medianText,
  responseMs,
  slowFrom,
  wouldHaveShown,
} from '../slower.ts';

/** Latency during the burst is reported and not judged: the specification promises no speed. */
export function recoversAfterBurst(evidence: LoadEvidence): Judgement {
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
}

function recoveredLatency(phases: SpikePhases, evidence: LoadEvidence): Judgement {
  const before = latencySamples(phases.before);
  const during = latencySamples(phases.during);
  const after = latencySamples(phases.after);
  const figures = `${medianText(before)} before the burst, ${medianText(during)} in it and ${medianText(after)} after it`;
  const text = `The median latency was ${figures}`;
  if (Math.min(before.length, after.length) < ENOUGH_RESPONSES)
    return inconclusive(
      `${text}; with fewer than ${ENOUGH_RESPONSES} responses before or after it, recovery cannot be judged: use more keys.`,
    );
  const when = recoveryText(phases);
  const found = compareLatency(after, before);
  const comparison = found === 'uncertain' && lingers(before, during, after) ? 'slowed' : found;
  return judgedSpeed(comparison, evidence, {
    unaffected: `${text}; ${when}. After it, ${wouldHaveShown(before)}.`,
    uncertain: `${text}.`,
    late: `${text}, but this machine sent requests late, so that proves nothing.`,
    slowed: {
      expected: 'about the same latency after the burst as before it',
      received: `a median of ${figures}`,
      reasoning: `${capitalized(when)}.`,
    },
  });
}

/** How likely responses after a burst that were as fast as before may look slower, where the burst itself was slow beyond doubt. */
const LINGERING_CHANCE = 0.01;

/** Whether the burst was slow beyond doubt and the responses after it, slower by the median, are the rest of that: then less is needed to tell. */
const lingers = (before: readonly Sample[], during: readonly Sample[], after: readonly Sample[]): boolean =>
  during.length >= ENOUGH_RESPONSES &&
  compareLatency(during, before) === 'slowed' &&
  chanceOfHigherRanks(after.map(responseMs), before.map(responseMs)) < LINGERING_CHANCE;

/** When latency was again what it was before; the time between requests bounds how exactly that is known. */
function recoveryText(phases: SpikePhases): string {
  const recovered = recoveryMs(phases);
  if (recovered === undefined) return 'it was not back to what it was before when the run ended';
  const [first] = phases.after;
  return first !== undefined && dueAt(first) - phases.burst.until === recovered
    ? `the first request after it, ${secondsText(recovered)} later, was answered as fast as before`
    : `it was back to what it was before ${secondsText(recovered)} after the burst`;
}

type SpikePhases = NonNullable<ReturnType<typeof spikePhases>>;

/**
 * The requests of a run with a burst, in the order of sending: at a low rate before it, in it, and at the low rate after
 * it; undefined where no burst was sent. What no phase contains was sent while another key still sent its burst.
 */
function spikePhases({ scenarios }: LoadEvidence) {
  const all = scenarios.flatMap(({ samples }) => samples).sort((a, b) => a.sent - b.sent);
  const during = all.filter(({ kind }) => kind === 'burst');
  if (during.length === 0) return undefined;
  /** From the first request of the burst to the last response to it, of all keys. */
  const burst: Span = {
    from: least(during.map(({ sent }) => sent)),
    until: greatest(during.map(({ received }) => received)),
  };
  const low = all.filter(({ kind }) => kind === 'paced');
  return {
    before: low.filter(({ received }) => received <= burst.from),
    during,
    after: low.filter((one) => dueAt(one) >= burst.until),
    burst,
  };
}

/** How many responses in a row must be as fast as before: by their median, so that one slow response does not count. */
const IN_A_ROW = 5;

/**
 * How long after the burst latency was what it had been before, and stayed so, in milliseconds: until the first
 * of the requests from which on the median of every five is not slower. Undefined where that did not come.
 */
export function recoveryMs({ before, after, burst }: SpikePhases): number | undefined {
  const usual = medianOf(latencySamples(before));
  const answered = latencySamples(after);
  const windows = Math.max(0, answered.length - IN_A_ROW + 1);
  let from: number | undefined;
  for (let at = windows - 1; at >= 0; at -= 1) {
    if (medianOf(answered.slice(at, at + IN_A_ROW)) > slowFrom(usual)) break;
    from = at;
  }
  if (from === undefined) return undefined;
  // The median of five may be fast although the first of them is not.
  const first = answered.slice(from).find((one) => latencyMs(one) <= slowFrom(usual));
  return first === undefined ? undefined : Math.max(0, dueAt(first) - burst.until);
}

export function spikeFigures(evidence: LoadEvidence): readonly LoadPhase[] {
  const phases = spikePhases(evidence);
  if (phases === undefined) return [];
  const { before, during, after } = phases;
  const all = [...before, ...during, ...after];
  const rows = [
    ['before the burst', before],
    ['burst', during],
    ['after the burst', after],
  ] as const;
  return rows.flatMap(([name, samples]) => {
    const span = {
      from: least(samples.map(dueAt)) - 1,
      until: greatest(samples.map(({ received }) => received)),
    };
    return samples.length === 0 ? [] : [phaseOf(name, { samples, all, span, oneOf: evidence.oneOf })];
  });
}
