import { UserError } from '../../words/user-error.ts';

/** A client that cannot be tested: it cannot be started, or sends nothing. The message is one sentence for the user. */
export class ClientRunError extends UserError {
  override readonly name = 'ClientRunError';
}
