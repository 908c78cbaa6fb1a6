import type { ExpectationId } from '../model/profile.ts';
import type { LoadVerdict } from '../model/record.ts';
import type { LoadEvidence, ScenarioEvidence } from './evidence.ts';

/** What an expectation makes of a run: the verdict, and why, with the figures. */
export interface LoadJudgement {
  readonly verdict: LoadVerdict;
  readonly because: string;
}

/** One thing that must hold for a profile to pass. */
export interface Expectation {
  readonly id: ExpectationId;
  /** What is expected, in one sentence. */
  readonly expects: string;
  /**
   * Whether a pass rests on all of the schedule: then requests that were late,
   * too few, or cut short make it inconclusive. What was proven against the
   * target stays proven.
   */
  readonly rests: 'on every request' | 'on every request and its time';
  /** Pure: no clock, no network, no environment. */
  judge(evidence: LoadEvidence): LoadJudgement;
}

type Maker = (because: string) => LoadJudgement;

const maker =
  (verdict: LoadVerdict): Maker =>
  (because) => ({ verdict, because });

export const pass = maker('pass');
/** The target is to blame, whatever lawful limiter it has. */
export const fail = maker('fail');
/** Asked or not, nothing is proven. */
export const inconclusive = maker('inconclusive');

/**
 * Judges each lane by itself: a failure of one decides, then what is unclear in
 * one. Lanes that have nothing to say (undefined) are left out; `none` is the
 * reason where that is all of them.
 */
export function judgeScenarios(
  scenarios: readonly ScenarioEvidence[],
  judge: (scenario: ScenarioEvidence) => LoadJudgement | undefined,
  none: string,
): LoadJudgement {
  const judged = scenarios.flatMap((scenario) => {
    const judgement = judge(scenario);
    return judgement === undefined ? [] : [{ scenario, ...judgement }];
  });
  for (const verdict of ['fail', 'inconclusive', 'pass'] as const) {
    const found = judged.filter((one) => one.verdict === verdict);
    const [first] = found;
    if (first === undefined) continue;
    const more = found.length > 1 ? ` So with ${found.length - 1} more of ${scenarios.length} keys.` : '';
    const named = scenarios.length > 1 ? `Key ${first.scenario.key}: ${first.because}${more}` : first.because;
    return { verdict, because: named };
  }
  return inconclusive(none);
}
