import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import { findEntry } from '../find-entry.ts';
import { bounds } from './bounds.ts';
import { categories } from './categories.ts';
import { counting } from './counting.ts';
import { describedWindow } from './described-window.ts';
import { keys } from './keys.ts';
import { limiters } from './limiters.ts';
import { lists } from './lists.ts';
import { media } from './media.ts';
import { otherCaller } from './other-caller.ts';
import { resetAndClock } from './reset-and-clock.ts';
import { retryAfter } from './retry-after.ts';
import type { RowId } from './rows.ts';
import { rows } from './rows.ts';
import { strangers } from './strangers.ts';
import { transport } from './transport.ts';
import type { Deserved, Variant } from './variant.ts';

/** The catalogue of conforming variants, in the order of the table's rows. */
export const variants: readonly Variant[] = [
  ...retryAfter,
  ...limiters,
  ...describedWindow,
  ...resetAndClock,
  ...strangers,
  ...counting,
  ...keys,
  ...otherCaller,
  ...categories,
  ...bounds,
  ...lists,
  ...media,
  ...transport,
].sort((a, b) => a.row.localeCompare(b.row));

/**
 * The variant with this id.
 * @throws {UnknownEntryError} when there is none
 */
export function findVariant(id: string): Variant {
  return findEntry('variant', variants, id);
}

/** What people want to know of a variant; plain data, one row of the catalogue. */
export interface VariantRow {
  readonly id: string;
  /** The row of the table of lawful services that it shows, and what that is about. */
  readonly row: RowId;
  readonly what: string;
  readonly says: string;
  readonly verdict: Deserved['verdict'];
  /** Of what an examination must warn, of what nothing can be said, and why. */
  readonly warned: Deserved['warned'];
  readonly open: Deserved['open'];
  readonly because: string | null;
  /** The limiter that it is about, where that is not the server's default one. */
  readonly algorithm: AlgorithmName | null;
  readonly seen: string;
}

/** The catalogue as rows. */
export function describeVariants(): readonly VariantRow[] {
  return variants.map(({ id, row, says, deserves, algorithm = null, seen }) => {
    const { verdict, warned, open, because = null } = deserves;
    return { id, row, what: rows[row].what, says, verdict, warned, open, because, algorithm, seen };
  });
}
