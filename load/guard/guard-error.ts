/** A load run must not begin; the message is one sentence or two for the user: why, and what to do. */
export class GuardError extends Error {
  override readonly name = 'GuardError';
}
