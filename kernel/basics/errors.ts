/**
 * An error that the user can correct. The message is one sentence for the user: what is wrong, where, and what to do.
 * A folder derives its own where a caller has to distinguish it; any other error is a bug in the program.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}

/** The user ended a run; the message says what was recorded and what to do with it. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** What is read; undefined where reading throws, because a caller has a sentence of its own for that. */
export function orNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
