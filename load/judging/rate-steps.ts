import { least } from '../../kernel/exchanges/collections.ts';
import type { LoadPhase } from '../../kernel/findings/load.ts';
import { latencySamples, nearestMedian } from '../model/latency.ts';
import type { Sample } from '../model/sample.ts';
import { isError } from '../model/sample.ts';
import type { Breakdown } from './breakdown.ts';
import { breakdownOf } from './breakdown.ts';
import type { LoadEvidence } from './evidence.ts';
import type { Span } from './phases.ts';
import { phaseOf } from './phases.ts';
import type { Comparison } from './slower.ts';
import { compareLatency, ENOUGH_RESPONSES, medianText } from './slower.ts';

/** A step breaks by errors where there are so many, and so large a share: fewer may be the network, and `NO-5XX` judges them. */
const ERRORS = { count: 3, share: 0.01 };

/** One step of a run whose rate rises, and what became of it. */
export interface RateStep {
  /** Position in the scenarios. */
  readonly position: number;
  readonly samples: readonly Sample[];
  readonly phase: LoadPhase;
  readonly outcome: StepOutcome;
}

/** `stopped`: the target served no more; `baseline`: the others are compared with it; `uncompared`: too few responses to compare latencies. */
export type StepOutcome =
  | { readonly kind: 'held' | 'baseline' | 'uncompared' }
  | { readonly kind: 'stopped'; readonly breakdown: Breakdown }
  | { readonly kind: 'errors' | 'slowed' | 'uncertain' | 'sent late'; readonly text: string };

/** Whether a step neither ended in errors nor was slower than the first ones. */
export const hasHeld = ({ outcome }: RateStep): boolean =>
  outcome.kind === 'held' || outcome.kind === 'baseline' || outcome.kind === 'uncompared';

/**
 * The paced steps of a run with their figures, in their order, as far as it got. Latency is compared with the
 * first steps that have enough responses together.
 */
export function rateSteps(evidence: LoadEvidence): readonly RateStep[] {
  const all = evidence.scenarios.flatMap(({ samples }) => samples);
  const breakdown = breakdownOf(evidence);
  const steps: RateStep[] = [];
  let usual: readonly Sample[] = [];
  for (const position of pacedPositions(evidence)) {
    const samples = all.filter(({ step }) => step === position);
    if (samples.length === 0) continue;
    const answered = latencySamples(samples);
    const outcome = outcomeOf({ position, samples, answered, usual, breakdown });
    const span = spanOf(position, evidence, outcome.kind === 'stopped');
    const phase = phaseOf(`step ${steps.length + 1}`, { samples, all, span, oneOf: evidence.oneOf });
    steps.push({
      position,
      samples,
      outcome,
      phase: {
        ...phase,
        result: outcome.kind === 'stopped' ? outcome.breakdown.text : RESULTS[outcome.kind],
      },
    });
    if (usual.length < ENOUGH_RESPONSES) usual = [...usual, ...answered];
  }
  return steps;
}

const pacedPositions = ({ scenarios }: LoadEvidence): readonly number[] =>
  (scenarios[0]?.steps ?? []).flatMap(({ kind }, position) => (kind === 'paced' ? [position] : []));

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
}

function outcomeOf({ position, samples, answered, usual, breakdown }: StepSamples): StepOutcome {
  if (breakdown !== undefined && position >= breakdown.step) return { kind: 'stopped', breakdown };
  const errors = samples.filter(isError).length;
  if (errors >= Math.max(ERRORS.count, ERRORS.share * samples.length))
    return { kind: 'errors', text: `${errors} of ${samples.length} requests got a 5xx or no response` };
  if (usual.length < ENOUGH_RESPONSES) return { kind: 'baseline' };
  if (answered.length < ENOUGH_RESPONSES) return { kind: 'uncompared' };
  const comparison: Comparison = compareLatency(answered, usual);
  if (comparison === 'unaffected') return { kind: 'held' };
  const text = `the median latency was ${medianText(answered)}, and ${medianText(usual)} at the lowest rate`;
  return { kind: comparison, text };
}

const RESULTS: Readonly<Record<Exclude<StepOutcome['kind'], 'stopped'>, string>> = {
  held: 'held',
  baseline: 'held; the others are compared with it',
  uncompared: 'held; latency not compared',
  errors: 'errors',
  slowed: 'slower',
  uncertain: 'slower, but not for certain',
  'sent late': 'sent late by this machine',
};
