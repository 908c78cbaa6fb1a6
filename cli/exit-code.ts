import type { Outcome } from '../suites/index.ts';

/** The exit codes of the process; pipelines rely on them. */
export const EXIT = {
  conforms: 0,
  violates: 1,
  /** No run was possible: usage, configuration, an unreachable target, a bug in this program. */
  noRun: 2,
  /** No violation was found, but a MUST is undecided. */
  incomplete: 3,
  /** Ended by SIGINT or SIGTERM, as shells count it for SIGINT. */
  interrupted: 130,
  /** With --baseline: every violation is known. */
  accepted: 0,
} as const satisfies Record<Outcome | 'accepted' | 'noRun' | 'interrupted', number>;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Sets the exit code that a command ends with. */
export type EndWith = (code: ExitCode) => void;
