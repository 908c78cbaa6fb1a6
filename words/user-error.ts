/**
 * Something the user can put right. The message is one sentence for the user:
 * what was wrong, where, and what to do. Every room derives its own errors of
 * this kind from it; whatever is none of them is a fault of the program.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}
