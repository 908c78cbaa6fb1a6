import { GATE_CODES } from '../../kernel/findings/gate-codes.ts';

/** The exit codes of the process; pipelines rely on them. */
export const EXIT = {
  ...GATE_CODES,
  /** Ended by SIGINT or SIGTERM, as shells count it for SIGINT. */
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Sets the exit code that a command ends with. */
export type EndWith = (code: ExitCode) => void;
