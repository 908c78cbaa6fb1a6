import { capitalized, countOf } from '../../../kernel/basics/text.ts';
import { least } from '../../../kernel/exchanges/collections.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import type { LoadPhase } from '../../../kernel/findings/load.ts';
import { latencySamples, nearestMedian } from '../../model/latency.ts';
import type { Sample } from '../../model/sample.ts';
import { isError } from '../../model/sample.ts';
import { breakdownOf, whyLate } from '../completeness.ts';
import type { Breakdown, LoadEvidence, Span } from '../evidence.ts';
import { phaseOf } from '../evidence.ts';
import { compareLatency, ENOUGH_RESPONSES, medianText, msText, UNCERTAIN } from '../slower.ts';

/**
 * The rate at which the target broke is the lowest one from which no higher one held: a step that was slow while
 * a higher rate held was not slow for its rate.
 */
export function holdsEveryRate(evidence: LoadEvidence): Judgement {
  const steps = rateSteps(evidence);
  const last = steps.at(-1);
  if (last === undefined) return inconclusive('No request of a step was sent.');
  const lastHeld = steps.findLastIndex(hasHeld);
  const held = steps[lastHeld];
  const above = steps.slice(lastHeld + 1);
  // A step whose slowness may be chance or this machine's proves less than a higher one that was surely slow.
  const broken =
    above.find(({ outcome: { kind } }) => kind !== 'sent late' && kind !== 'uncertain') ?? above[0];
  if (broken === undefined) return heldAll(steps, last);
  const { how, notTarget } = broken.outcome;
  if (held === undefined)
    return inconclusive(`At ${rateOf(broken)}, the lowest rate, ${how}: that is no matter of the rate.`);
  const text = `The target held ${rateOf(held)} and broke at ${rateOf(broken)}: ${how}`;
  return notTarget === undefined
    ? fail({
        expected: 'responses without errors, and about as fast, up to the highest rate of the profile',
        received: `trouble at ${rateOf(broken)}, after ${rateOf(held)} held`,
        reasoning: `${capitalized(how)}.`,
      })
    : inconclusive(`${text}. ${notTarget}`);
}

const rateOf = ({ phase }: RateStep): string => `${Number(phase.offeredPerSecond.toPrecision(3))} requests/s`;

function heldAll(steps: readonly RateStep[], last: RateStep): Judgement {
  const text = `The target held ${rateOf(last)}, the highest rate of the profile`;
  if (last.outcome.kind !== 'held')
    return inconclusive(
      `${text}, without errors. Its latency was not judged: that needs ${ENOUGH_RESPONSES} responses at the lowest rates and as many at the highest; use more keys.`,
    );
  const odd = steps.filter((one) => !hasHeld(one));
  const exceptions =
    odd.length === 0
      ? ''
      : ` ${countOf(odd.length, 'lower step')} had trouble (${odd.map(({ outcome }) => outcome.how).join('; ')}), which is no matter of the rate, because a higher one held.`;
  return pass(
    `${text}. The median latency was ${middleOf(steps[0])} at the lowest rate and ${middleOf(last)} at the highest.${exceptions}`,
  );
}

const middleOf = (step: RateStep | undefined): string => {
  const { p50 = null } = step?.phase ?? {};
  return msText(p50 ?? Number.NaN);
};

/** A step breaks by errors where there are so many, and so large a share: fewer may be the network, and `NO-5XX` judges them. */
const ERRORS = { count: 3, share: 0.01 };

interface RateStep {
  readonly phase: LoadPhase;
  readonly outcome: StepOutcome;
}

interface StepOutcome {
  /** `stopped`: the target served no more. */
  readonly kind: 'stopped' | keyof typeof RESULTS;
  /** What was wrong, in a clause; empty where the rate held. */
  readonly how: string;
  /** Why that may not be the doing of the target, in a sentence. */
  readonly notTarget?: string | undefined;
}

const RESULTS = {
  held: 'held',
  baseline: 'held; the others are compared with it',
  uncompared: 'held; latency not compared',
  errors: 'errors',
  slowed: 'slower',
  uncertain: 'slower, but not for certain',
  'sent late': 'sent late by this machine',
} as const;

const hasHeld = ({ outcome }: RateStep): boolean => outcome.how === '';

/**
 * The paced steps of a run with their figures, in their order, as far as it got. Latency is compared with the
 * first steps that have enough responses together.
 */
export function rateSteps(evidence: LoadEvidence): readonly RateStep[] {
  const all = evidence.scenarios.flatMap(({ samples }) => samples);
  const [breakdown, late] = [breakdownOf(evidence), whyLate(evidence)];
  const steps: RateStep[] = [];
  let usual: readonly Sample[] = [];
  for (const [position, { kind }] of (evidence.scenarios[0]?.steps ?? []).entries()) {
    if (kind !== 'paced') continue;
    const samples = all.filter(({ step }) => step === position);
    if (samples.length === 0) continue;
    const answered = latencySamples(samples);
    const outcome = outcomeOf({ position, samples, answered, usual, breakdown, late });
    const span = spanOf(position, evidence, outcome.kind === 'stopped');
    const phase = phaseOf(`step ${steps.length + 1}`, { samples, all, span, oneOf: evidence.oneOf });
    const result = outcome.kind === 'stopped' ? (breakdown?.text ?? '') : RESULTS[outcome.kind];
    steps.push({ outcome, phase: { ...phase, result } });
    if (usual.length < ENOUGH_RESPONSES) usual = [...usual, ...answered];
  }
  return steps;
}

/**
 * When most keys were at a step: one key may have started later than the others. A step in which the target stopped
 * serving counts until the first key had sent its last request: as long as its rate was offered.
 */
function spanOf(position: number, { scenarios }: LoadEvidence, isCut: boolean): Span {
  const spans = scenarios.flatMap(({ steps, stepsDue }) => {
    const [step, due] = [steps[position], stepsDue.get(position)];
    if (step?.kind !== 'paced' || due === undefined) return [];
    const intervalMs = step.overMs / step.requests;
    const from = due.first - step.turn * intervalMs;
    return { from, until: from + due.requests * intervalMs };
  });
  const [starts, ends] = [spans.map(({ from }) => from), spans.map(({ until }) => until)];
  return { from: nearestMedian(starts), until: isCut ? least(ends) : nearestMedian(ends) };
}

interface StepSamples {
  readonly position: number;
  readonly samples: readonly Sample[];
  readonly answered: readonly Sample[];
  readonly usual: readonly Sample[];
  readonly breakdown: Breakdown | undefined;
  /** Why the schedule was not kept, in a sentence. */
  readonly late: string | undefined;
}

function outcomeOf({ position, samples, answered, usual, breakdown, late }: StepSamples): StepOutcome {
  if (breakdown !== undefined && position >= breakdown.step) return stoppedBy(breakdown);
  const busy = (why: string): string => `${why} Run the profile on a machine that is not busy.`;
  const notTarget = late && busy(late);
  const errors = samples.filter(isError).length;
  if (errors >= Math.max(ERRORS.count, ERRORS.share * samples.length))
    return {
      kind: 'errors',
      how: `${errors} of ${samples.length} requests got a 5xx or no response`,
      notTarget,
    };
  if (usual.length < ENOUGH_RESPONSES) return { kind: 'baseline', how: '' };
  if (answered.length < ENOUGH_RESPONSES) return { kind: 'uncompared', how: '' };
  const kind = compareLatency(answered, usual);
  if (kind === 'unaffected') return { kind: 'held', how: '' };
  const how = `the median latency was ${medianText(answered)}, and ${medianText(usual)} at the lowest rate`;
  if (kind === 'uncertain') return { kind, how, notTarget: UNCERTAIN };
  if (kind === 'slowed') return { kind, how, notTarget };
  return { kind, how, notTarget: notTarget ?? busy('From the actual send times it was no slower.') };
}

function stoppedBy({ by, text }: Breakdown): StepOutcome {
  if (by === 'target') return { kind: 'stopped', how: text };
  return by === 'silent'
    ? { kind: 'stopped', how: `${text}, unless the network failed at that moment` }
    : { kind: 'stopped', how: text, notTarget: 'The network did not lead to the target.' };
}
