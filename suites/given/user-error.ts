/** Something the user can put right; the message is the sentence that says what and how. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
