import type { Outcome } from '../../../kernel/findings/record.ts';
import type { ProfileId } from '../../../load/profiles/index.ts';
import type { Deserved, Verdicts } from '../breaks/break.ts';
import { foundIn } from '../breaks/break.ts';
import { loadedServices } from '../services.ts';
import type { LoadFault } from './faults.ts';
import { healthyVariants, loadFaults } from './faults.ts';

/** The verdicts of one load run. */
export interface LoadRun extends Pick<Verdicts, 'fails' | 'inconclusive'> {
  readonly outcome: Outcome;
  /** What each expectation that did not pass says, with its id. */
  readonly because: readonly string[];
}

/** One profile against one service with one fault, or a healthy variant. */
export interface LoadSubject {
  readonly name: string;
  readonly service: string;
  readonly profile: ProfileId;
  readonly fault: LoadFault;
}

/** What to load, with what, and how. */
export const loadSubjects: readonly LoadSubject[] = loadedServices.flatMap(({ name: service }) =>
  [...loadFaults, ...healthyVariants].flatMap((fault) =>
    fault.profiles.map((profile) => ({
      name: `${service} ${fault.id || 'conforming'} ${profile}`,
      ...{ service, profile, fault },
    })),
  ),
);

/** The runs of one subject. */
export interface LoadRuns {
  readonly runs: readonly LoadRun[];
}

/** What became of a fault in one run; `sent late` where nothing was judged because this machine sent late. */
export const resultOf = (deserved: Deserved, run: LoadRun): ReturnType<typeof foundIn> | 'sent late' => {
  const found = foundIn(deserved, run);
  const isLate = run.fails.length === 0 && run.inconclusive.includes('SENT');
  return found === 'missed' && isLate ? 'sent late' : found;
};

/** The runs against conforming services in which something failed: each is a defect of this project. */
export const falseLoadFails = ({ name, fault }: LoadSubject, { runs }: LoadRuns): readonly string[] =>
  runs
    .filter((run) => resultOf(fault.deserved, run) === 'false fail')
    .map(({ because }) => `${name}: ${because.join(' ')}`);

/** A run in which the profile that should find a fault judged and did not find it. */
export interface Miss {
  readonly text: string;
  /** Why some runs miss it; undefined where no reason is known. */
  readonly because: string | undefined;
}

/** The runs in which the profile that should find a fault judged and did not find it. */
export const missedFaults = ({ name, service, fault }: LoadSubject, { runs }: LoadRuns): readonly Miss[] =>
  fault.missed !== undefined
    ? []
    : runs
        .filter((run) => resultOf(fault.deserved, run) === 'missed')
        .map(({ outcome, because }) => ({
          text: `${name}: ${outcome}; ${because.join(' ')}`,
          because: fault.sometimesMissed?.[service],
        }));
