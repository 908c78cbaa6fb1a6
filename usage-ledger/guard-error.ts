import { UserError } from '../words/user-error.ts';

/** A load run must not begin; the message is one sentence or two for the user: why, and what to do. */
export class GuardError extends UserError {
  override readonly name = 'GuardError';
}
