import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import type { ExpectationId } from '../model/profile.ts';
import type { LoadPhase, LoadVerdict } from '../model/record.ts';
import type { ThresholdId } from '../model/thresholds.ts';
import type { LoadEvidence, ScenarioEvidence } from './evidence.ts';

/** The judgement of one expectation: the verdict, and why, with the figures. */
export interface LoadJudgement {
  readonly verdict: LoadVerdict;
  readonly because: string;
}

/** One thing that must hold for a profile to pass. Its judge is pure: no clock, no network, no environment. */
export type Expectation = KeyExpectation | RunExpectation;

interface Expected {
  readonly id: ExpectationId | ThresholdId;
  /** What is expected, in one sentence. */
  readonly expected: string;
  /**
   * What a pass requires of the run itself: a run that sent too few requests or
   * was cut short makes it inconclusive, and so do late requests where the
   * schedule matters. What is proven against the target stays proven.
   */
  readonly passRequires: 'every request' | 'every request on schedule';
}

/** An expectation that is judged on one key after the other, so that only one has to be in memory. */
export interface KeyExpectation extends Expected {
  readonly scope: 'each key';
  /** Undefined where the key did not do what is judged. */
  judge(scenario: ScenarioEvidence): LoadJudgement | undefined;
  /** Why nothing was judged, in one sentence, where no key did what is judged. */
  readonly nothingJudged: string;
  /** Judges a key that failed once more, with what the other keys sent. */
  reconsider?(scenario: ScenarioEvidence, together: Together): LoadJudgement | undefined;
}

/** An expectation that is judged on all keys at once. */
export interface RunExpectation extends Expected {
  /** `all keys`: their samples are compared, of a long run a part of them. `counts`: the counts or the percentiles, which are exact. */
  readonly scope: 'all keys' | 'counts';
  judge(evidence: LoadEvidence): LoadJudgement;
  /** The phases that it compares, for the report. */
  phases?(evidence: LoadEvidence): readonly LoadPhase[];
}

/** The requests of all keys of a run, which may belong to one account. */
export interface Together {
  readonly exchanges: readonly Exchange[];
  /** Whether these are all of them, or a part that shows when the others sent. */
  readonly complete: boolean;
}

const maker =
  (verdict: LoadVerdict) =>
  (because: string): LoadJudgement => ({ verdict, because });

export const pass = maker('pass');
/** The responses contradict the expectation, whatever conforming limiter the target has. */
export const fail = maker('fail');
/** The run proves nothing either way. */
export const inconclusive = maker('inconclusive');
