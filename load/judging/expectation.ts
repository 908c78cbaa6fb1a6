import type { Exchange } from '../../exchanges/exchange.ts';
import type { Limits } from '../../spec/plans.ts';
import type { ExpectationId } from '../model/profile.ts';
import type { LoadPhase, LoadVerdict } from '../model/record.ts';
import type { ThresholdId } from '../model/thresholds.ts';
import type { LoadEvidence, ScenarioEvidence } from './evidence.ts';

/** The judgement of one expectation: the verdict, and why, with the figures. */
export interface LoadJudgement {
  readonly verdict: LoadVerdict;
  readonly because: string;
  /** Set where no key did what is judged, so that nothing was judged. */
  readonly nothingJudged?: true;
}

/** One thing that must hold for a profile to pass. */
export interface Expectation {
  readonly id: ExpectationId | ThresholdId;
  /** What is expected, in one sentence. */
  readonly expected: string;
  /**
   * What a pass requires of the run itself: a run that sent too few requests or
   * was cut short makes it inconclusive, and so do late requests where the
   * schedule matters. What is proven against the target stays proven.
   */
  readonly passRequires: 'every request' | 'every request on schedule';
  /**
   * `each key`: one key is judged after the other, so that only one has to be in memory. `all keys`: their samples are
   * compared, of a long run a part of them. `counts`: the counts or the percentiles of all keys are judged, which are exact.
   */
  readonly scope: 'each key' | 'all keys' | 'counts';
  /** Pure: no clock, no network, no environment. */
  judge(evidence: LoadEvidence): LoadJudgement;
  /** The phases that it compares, for the report. Pure as well. */
  phases?(evidence: LoadEvidence): readonly LoadPhase[];
  /** Judges a key that failed once more, with what the other keys sent. Pure as well. */
  reconsider?(scenario: ScenarioEvidence, limits: Limits, together: Together): LoadJudgement | undefined;
}

/** The requests of all keys of a run, which may belong to one account. */
export interface Together {
  readonly exchanges: readonly Exchange[];
  /** Whether these are all of them, or a part that shows when the others sent. */
  readonly complete: boolean;
}

type Maker = (because: string) => LoadJudgement;

const maker =
  (verdict: LoadVerdict): Maker =>
  (because) => ({ verdict, because });

export const pass = maker('pass');
/** The responses contradict the expectation, whatever conforming limiter the target has. */
export const fail = maker('fail');
/** The run proves nothing either way. */
export const inconclusive = maker('inconclusive');

/**
 * Judges each scenario by itself: one failure decides, then one inconclusive
 * judgement. Scenarios without a judgement (undefined) are left out; `none` is
 * the reason where no scenario has one.
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
    const more =
      found.length > 1 ? ` The same holds for ${found.length - 1} more of ${scenarios.length} keys.` : '';
    const named = scenarios.length > 1 ? `Key ${first.scenario.key}: ${first.because}${more}` : first.because;
    return { verdict, because: named };
  }
  return { ...inconclusive(none), nothingJudged: true };
}
