import type { Baseline } from '../../kernel/findings/gate.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import type { Trace } from '../../load/model/sample.ts';
import { readBaseline } from '../../reports/baseline.ts';
import type { OptionValues } from '../options/table.ts';
import type { Progress, RunSoFar } from './progress.ts';

/** How a journal is judged: whether every warning counts as a violation, and what is known of the target's violations. */
export interface Judging {
  readonly strict: boolean;
  readonly baseline: Baseline | undefined;
  /** The path of a baseline to write. */
  readonly baselineWrite: string | undefined;
}

type GivenJudging = {
  readonly [Name in 'strict' | 'baseline' | 'baselineWrite']?: OptionValues[Name] | undefined;
};

/** Reads how a journal is judged. @throws {UserError} when the baseline cannot be used: that must not cost a run. */
export const readJudging = ({ strict, baseline, baselineWrite }: GivenJudging): Judging => ({
  strict: strict === true,
  baseline: baseline === undefined ? undefined : readBaseline(baseline),
  baselineWrite,
});

/** How a run is judged and where its results go. */
export interface Results extends Judging {
  /** For what is recorded and for the reports. */
  readonly folder: string;
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

/** What the interface does for a run that goes on. */
export interface Surroundings<Line> {
  /** Prints lines that a person waits for. */
  readonly print: (...lines: readonly string[]) => void;
  /** Gets sentences about files, the usage ledger and tools. */
  readonly report: (sentence: string) => void;
  readonly progress: (run: RunSoFar<Line>) => Progress<Line>;
  readonly signal: AbortSignal;
}

/**
 * The straight line of a run, from what a person gave to its reports. Each step is a function of what the one before it
 * gave. A repeated run is recorded, judged and reported each time.
 */
export interface Steps<Given, Settled, Admitted, Recorded, Line> {
  /** Reads files and the environment; sends nothing. @throws {UserError} when an option is wrong. */
  settle(given: Given): Promise<Settled>;
  /** @throws {UserError} when the run must not start. */
  admit(settled: Settled, around: Surroundings<Line>): Promise<Admitted>;
  record(admitted: Admitted, around: Surroundings<Line>): AsyncIterable<Recorded>;
  /** Uses no network and no key. Several records where one journal shows several subjects. */
  judge(recorded: Recorded): Promise<readonly Judged[]>;
}

/** Admits, records and judges a settled run. @returns what `report` made of each recording. */
export async function follow<Settled, Admitted, Recorded, Line, Reported>(
  { admit, record, judge }: Omit<Steps<never, Settled, Admitted, Recorded, Line>, 'settle'>,
  settled: Settled,
  around: Surroundings<Line>,
  report: (judged: readonly Judged[]) => Promise<Reported>,
): Promise<readonly Reported[]> {
  const reported: Reported[] = [];
  for await (const recorded of record(await admit(settled, around), around)) {
    reported.push(await report(await judge(recorded)));
  }
  return reported;
}

/** Shows the progress of what `record` records. */
export async function watched<Line, T>(
  { progress }: Pick<Surroundings<Line>, 'progress'>,
  run: RunSoFar<Line>,
  record: (observe: (line: Line) => void) => Promise<T>,
): Promise<T> {
  const { observe, stop } = progress(run);
  try {
    return await record(observe);
  } finally {
    stop();
  }
}
