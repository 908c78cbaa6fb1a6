/** A response is longer than what is read of one. It is cut by us, so it says nothing about the target. */
export class BeyondBound extends Error {
  override readonly name = 'BeyondBound';
}
