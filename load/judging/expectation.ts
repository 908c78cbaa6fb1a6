import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import type { Stated } from '../../kernel/findings/finding.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import type { LoadPhase } from '../../kernel/findings/load.ts';
import type { ThresholdId } from '../../kernel/findings/record.ts';
import type { ExpectationId } from '../../spec/register.ts';
import type { LoadEvidence, ScenarioEvidence } from './evidence.ts';

/** One thing that must hold for a profile to pass. Its judge is pure: no clock, no network, no environment. */
export type Expectation = KeyExpectation | RunExpectation;

interface Expected {
  /** What the register states, or a user. */
  readonly entry: Stated & { readonly id: ExpectationId | ThresholdId };
  /** Why it matters to those who rely on the service: one sentence. */
  readonly whyItMatters: string;
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
  judge(scenario: ScenarioEvidence): Judgement | undefined;
  /** Why nothing was judged, in one sentence, where no key did what is judged. */
  readonly nothingJudged: string;
  /** Judges a key that failed once more, with what the other keys sent. */
  reconsider?(scenario: ScenarioEvidence, together: Together): Judgement | undefined;
}

/** An expectation that is judged on all keys at once. */
export interface RunExpectation extends Expected {
  /** `all keys`: their samples are compared, of a long run a part of them. `counts`: the counts or the percentiles, which are exact. */
  readonly scope: 'all keys' | 'counts';
  judge(evidence: LoadEvidence): Judgement;
  /** The phases that it compares, for the report. */
  phases?(evidence: LoadEvidence): readonly LoadPhase[];
}

/** The requests of all keys of a run, which may belong to one account. */
export interface Together {
  readonly exchanges: readonly Exchange[];
  /** Whether these are all of them, or a part that shows when the others sent. */
  readonly complete: boolean;
}
