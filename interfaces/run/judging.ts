import type { RunRecord } from '../../kernel/findings/record.ts';
import type { Trace } from '../../load/model/sample.ts';
import { readBaseline } from '../../reports/baseline.ts';
import type { OptionValues } from '../options/table.ts';

type GivenJudging = {
  readonly [Name in 'strict' | 'baseline' | 'baselineWrite']?: OptionValues[Name] | undefined;
};

/**
 * Reads how a journal is judged: whether every warning counts as a violation, and what is known of the target's violations.
 * @throws {UserError} when the baseline cannot be used: that must not cost a run.
 */
export const readJudging = ({ strict, baseline, baselineWrite }: GivenJudging) => ({
  strict: strict === true,
  baseline: baseline === undefined ? undefined : readBaseline(baseline),
  baselineWrite,
});

export interface Results extends Readonly<ReturnType<typeof readJudging>> {
  /** For what is recorded and for the reports. */
  readonly folder: string;
  /** What is printed on standard output: text for a person, or JSON and nothing else. */
  readonly format: 'console' | 'json';
}

/** The record of a run, and what its reports are made of besides. */
export interface Judged {
  readonly record: RunRecord;
  readonly folder: string;
  readonly journal?: string;
  readonly trace?: Trace;
  /** What stands before its verdict, where there are several. */
  readonly heading?: readonly string[];
  /** Why the run ended without a verdict: thrown once its reports are written. `unseen`: its verdict is not printed either. */
  readonly failure?: { readonly error: Error; readonly unseen?: true } | undefined;
}
