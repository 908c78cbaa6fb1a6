import type { Outcome } from '../suites/index.ts';

/** What the process ends with; pipelines rely on it. */
export const EXIT = {
  conforms: 0,
  violates: 1,
  /** The run could not be made: usage, configuration, a target out of reach, a fault of this program. */
  noRun: 2,
  /** Nothing is violated, but a MUST could not be decided. */
  incomplete: 3,
  /** Ended by SIGINT or SIGTERM, as shells count it for SIGINT. */
  interrupted: 130,
} as const satisfies Record<Outcome | 'noRun' | 'interrupted', number>;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a command's action does with the code that it ends with. */
export type EndWith = (code: ExitCode) => void;
