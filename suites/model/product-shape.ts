import { either, exactly, maybeText, object } from '../../recording/shape.ts';

/** The shape of what a user stated about the product, in the first line of a journal; it may be absent. */
export const product = either(
  exactly(undefined),
  object({ name: maybeText, vendor: maybeText, version: maybeText, configuration: maybeText }),
);
