/** The user ended a run; the message says what was recorded and what to do with it. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}
