import type { Outcome } from '../../kernel/findings/record.ts';
import type { ProfileId } from '../../load/profiles/index.ts';
import type { Deserved } from './faults.ts';
import { healthyVariants, loadFaults } from './faults.ts';

/** The verdicts of one load run. */
export interface LoadRun {
  readonly outcome: Outcome;
  /** The ids of the expectations that failed. */
  readonly fails: readonly string[];
  readonly inconclusive: readonly string[];
  /** What each expectation that did not pass says, with its id. */
  readonly because: readonly string[];
}

/** The runs of one profile against one service with one fault, or a healthy variant. */
export interface MatrixRow {
  readonly service: string;
  /** Empty for the service as it conforms. */
  readonly fault: string;
  readonly profile: ProfileId;
  readonly runs: readonly LoadRun[];
}

/** What a row is about, in one string. */
export const rowKey = ({ service, fault, profile }: Omit<MatrixRow, 'runs'>): string =>
  `${service} ${fault || 'conforming'} ${profile}`;

/** Whether a run says what the fault deserves. */
export function isFound(deserved: Deserved, { fails, inconclusive }: LoadRun): boolean {
  switch (deserved.kind) {
    case 'fails':
      return deserved.by.some((id) => fails.includes(id));
    case 'doubted':
      return deserved.by.some((id) => inconclusive.includes(id) || fails.includes(id));
    case 'not judged':
      return fails.length > 0;
  }
}

/** What a row deserves; undefined where nothing may fail. */
export const deservedOf = ({ fault, profile }: Pick<MatrixRow, 'fault' | 'profile'>): Deserved | undefined =>
  loadFaults.find((one) => one.id === fault && one.profile === profile)?.deserved;

/** The runs of rows without a fault in which something failed: each is a defect of this project. */
export const falseLoadFails = (rows: readonly MatrixRow[]): readonly string[] =>
  rows
    .filter(({ fault }) => healthyVariants.some(({ id }) => id === fault))
    .flatMap((row) =>
      row.runs.flatMap((run) => (run.fails.length === 0 ? [] : [`${rowKey(row)}: ${run.because.join(' ')}`])),
    );

/** What became of a fault in one run: found, not judged because this machine sent late, or missed. */
export const resultOf = (deserved: Deserved, run: LoadRun): 'found' | 'sent late' | 'missed' => {
  if (isFound(deserved, run)) return 'found';
  return run.fails.length === 0 && run.inconclusive.includes('SENT') ? 'sent late' : 'missed';
};

/** A run in which the profile that should find a fault judged and did not find it. */
export interface Miss {
  readonly text: string;
  /** Why some runs miss it; undefined where no reason is known. */
  readonly because: string | undefined;
}

/** The runs in which the profile that should find a fault judged and did not find it. */
export const missedFaults = (rows: readonly MatrixRow[]): readonly Miss[] =>
  rows.flatMap((row) => {
    const fault = loadFaults.find(({ id, profile }) => id === row.fault && profile === row.profile);
    if (fault === undefined || fault.deserved.kind === 'not judged') return [];
    const because = fault.sometimesMissed?.[row.service];
    return row.runs
      .filter((run) => resultOf(fault.deserved, run) === 'missed')
      .map((run) => ({ text: `${rowKey(row)}: ${run.outcome}; ${run.because.join(' ')}`, because }));
  });
