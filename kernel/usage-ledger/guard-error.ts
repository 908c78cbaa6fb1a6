import { UserError } from '../basics/user-error.ts';

/** A load run must not start, or the ledger cannot be used; the message is one or two sentences for the user: why, and what to do. */
export class GuardError extends UserError {
  override readonly name = 'GuardError';
}
