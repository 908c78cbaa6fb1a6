import { countOf, quoted, secondsText } from '../../kernel/basics/text.ts';
import { firstFound, least } from '../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../kernel/exchanges/headers.ts';
import { accepted } from '../../kernel/exchanges/outcome-kinds.ts';
import { readRetryAfter } from '../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../kernel/findings/judgement.ts';
import type { LoadPhase } from '../../kernel/findings/load.ts';
import type { Retry, RetryOutcome } from '../../kernel/rate-limits/waits.ts';
import { retryOutcome } from '../../kernel/rate-limits/waits.ts';
import { latencySamples, nearestMedian } from '../model/latency.ts';
import type { Sample } from '../model/sample.ts';
import { isError } from '../model/sample.ts';
import type { Breakdown } from './completeness.ts';
import { breakdownOf } from './completeness.ts';
import type { LoadEvidence, ScenarioEvidence, Span } from './evidence.ts';
import { phaseOf } from './evidence.ts';
import type { Comparison } from './slower.ts';
import { compareLatency, ENOUGH_RESPONSES, medianText } from './slower.ts';

/** What is wrong with the Retry-After of the first of these 429 responses with a wrong one; undefined where none has. */
export const retryAfterProblemIn = (limited: readonly Exchange[]): Fact | undefined =>
  firstFound(limited, retryAfterProblem);

function retryAfterProblem(exchange: Exchange): Fact | undefined {
  const answer = answerOf(exchange);
  const after = readRetryAfter(exchange);
  if (answer !== undefined && after.kind === 'absent')
    return { expected: 'a Retry-After on every 429', received: `none on the 429 of request ${exchange.n}` };
  if (after.kind !== 'malformed') return undefined;
  return {
    expected: 'whole seconds or an HTTP-date in Retry-After',
    received: `${quoted(after.text)} on the 429 of request ${exchange.n}`,
  };
}

export function judgeRetry(scenario: ScenarioEvidence, retry: Retry): Judgement {
  const found = retryOutcome(retry);
  switch (found.kind) {
    case 'no usable Retry-After':
      return inconclusive(`The 429 of request ${found.limited.n} has no usable Retry-After to wait for.`);
    case 'not retried':
      return inconclusive('Nothing was sent after Retry-After had passed.');
    case 'retried too early':
      return inconclusive(`Request ${found.first.n} was sent before Retry-After had passed.`);
    case 'in another unit':
      return judgeOtherUnit(found);
    case 'not rate-limited':
      return judgeAccepted(found);
    case 'rate-limited again':
      return judgeLimitedAgain(scenario, found);
  }
}

function judgeOtherUnit({
  limited,
  unit,
  first,
  afterMs,
  result,
}: RetryOutcome & { readonly kind: 'in another unit' }): Judgement {
  const text = `Retry-After of request ${limited.n} looks like ${unit.name}; request ${first.n}, sent ${secondsText(afterMs)} after the last 429, ${statusText(first)}`;
  switch (result) {
    case 'accepted':
      return pass(`${text}. Certify says more about the unit (RETRY-2).`);
    case 'not accepted':
      return inconclusive(`${text}, but in seconds the wait was not over.`);
    case 'too early':
      return inconclusive(`${text}, before the wait was over in that unit.`);
  }
}

function judgeAccepted({ first, afterMs }: RetryOutcome & { readonly kind: 'not rate-limited' }): Judgement {
  return accepted(first)
    ? pass(
        `Request ${first.n} was accepted ${secondsText(afterMs)} after the last 429, as Retry-After announced.`,
      )
    : inconclusive(`Request ${first.n}, sent after Retry-After, ${statusText(first)}.`);
}

/** What came in answer to a request, behind its name. */
export const statusText = (exchange: Exchange): string => {
  const status = statusOf(exchange);
  return status === undefined ? 'got no response' : `returned ${status}`;
};

function judgeLimitedAgain(
  scenario: ScenarioEvidence,
  found: RetryOutcome & { readonly kind: 'rate-limited again' },
): Judgement {
  const { first, afterMs } = found;
  const text = `request ${first.n}, sent ${secondsText(afterMs)} after the last 429 as Retry-After announced, returned 429 again`;
  const perhaps = `Retry-After may be too short: ${text}`;
  if (scenario.anotherClient !== undefined) return inconclusive(`${perhaps}. ${scenario.anotherClient}`);
  switch (found.result) {
    case 'not retried':
    case 'no response':
      return inconclusive(`${perhaps}, and no other response came.`);
    case 'too early':
      return inconclusive(`${perhaps}; request ${found.second.n} was sent before the second wait was over.`);
    case 'not rate-limited':
      return inconclusive(
        `Retry-After was too short by one wait: ${text}; request ${found.second.n} after it was not. It may have been rounded down.`,
      );
    case 'rate-limited twice':
      return fail({
        expected: 'no 429 after Retry-After',
        received: `a 429 for request ${first.n}, sent ${secondsText(afterMs)} after the last 429 as announced, and for request ${found.second.n} after its own wait of ${countOf(found.waitSeconds, 'second')}`,
      });
  }
}

/** A step breaks by errors where there are so many, and so large a share: fewer may be the network, and `NO-5XX` judges them. */
const ERRORS = { count: 3, share: 0.01 };

/** One step of a run whose rate rises, and what became of it. */
export interface RateStep {
  readonly phase: LoadPhase;
  readonly outcome: StepOutcome;
}

/** `stopped`: the target served no more; `baseline`: the others are compared with it; `uncompared`: too few responses to compare latencies. */
type StepOutcome =
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
