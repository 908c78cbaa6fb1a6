import { groupedBy, least } from '../../kernel/exchanges/collections.ts';
import { withUsableDates } from '../../kernel/rate-limits/clocks.ts';
import { seriesOf } from '../../kernel/rate-limits/series.ts';
import type { ProfileInputs, Scenario } from '../model/profile.ts';
import type { KeyTrace, Sample } from '../model/sample.ts';
import { scenarioRequests } from '../profiles/arithmetic.ts';
import { anotherClientShown } from './attribution.ts';
import { breakdownOfKey, clockProblemText } from './completeness.ts';
import type { ScenarioEvidence } from './evidence.ts';
import { counterDrift, dueAt, exchangeOf, tallyOf } from './evidence.ts';

export function scenarioEvidence(
  scenario: Scenario,
  trace: KeyTrace,
  { plan, exclusiveKeys }: Pick<ProfileInputs, 'exclusiveKeys'> & { readonly plan: string },
): ScenarioEvidence {
  const { limits } = scenario;
  const samples = [...trace.samples].sort((a, b) => a.sent - b.sent || a.n - b.n);
  const exchanges = withUsableDates(samples.map(exchangeOf));
  const series = seriesOf(exchanges, limits);
  const stopped = trace.events.find((event) => event.kind === 'stopped');
  return {
    ...scenario,
    plan,
    planned: scenarioRequests(scenario),
    samples,
    exchanges,
    series,
    stopped,
    exclusive: exclusiveKeys === true,
    anotherClient: exclusiveKeys === true ? undefined : anotherClientShown(series, limits),
    clocks: clockProblemText(exchanges),
    tally: tallyOf(exchanges),
    breakdown: breakdownOfKey(samples, stopped),
    drift: counterDrift(exchanges, limits),
    stepsDue: stepsDueIn(samples),
  };
}

const stepsDueIn = (samples: readonly Sample[]): ScenarioEvidence['stepsDue'] =>
  new Map(
    [...groupedBy(samples, ({ step }) => step)].map(([step, own]) => [
      step,
      { first: least(own.map(dueAt)), requests: own.length },
    ]),
  );

/**
 * The evidence of a key of a long run after it was judged by itself: every n-th sample, for the comparison
 * with the other keys, and the counts of all. Keys begin at different samples, so that they do not all keep the same ones.
 */
export function thinned(evidence: ScenarioEvidence, oneOf: number, position: number): ScenarioEvidence {
  const samples = evidence.samples.filter((_, at) => (at + position) % oneOf === 0);
  return { ...evidence, samples, exchanges: [], series: [] };
}
