import { UserError } from '../../kernel/basics/errors.ts';
import { nearest } from '../../kernel/basics/text.ts';

/** The fault or variant with this id. @throws {UserError} when there is none. */
export function findEntry<Entry extends { readonly id: string }>(
  kind: 'fault' | 'variant',
  entries: readonly Entry[],
  id: string,
): Entry {
  const found = entries.find((entry) => entry.id === id);
  if (found !== undefined) return found;
  const ids = entries.map((entry) => entry.id);
  const likely = nearest(id, ids) ?? ids.find((one) => id.length > 2 && one.includes(id));
  const hint = likely === undefined ? '' : ` Did you mean "${likely}"?`;
  throw new UserError(`There is no ${kind} "${id}"; "serve --list ${kind}s" lists all ${ids.length}.${hint}`);
}
