/** No client reads the body of this response. The message: a clause with the section of an RFC. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}
