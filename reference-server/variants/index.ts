import { findEntry } from '../find-entry.ts';
import { categories } from './categories.ts';
import { counting } from './counting.ts';
import { describedWindow } from './described-window.ts';
import { keys } from './keys.ts';
import { limiters } from './limiters.ts';
import { lists } from './lists.ts';
import { media } from './media.ts';
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
  ...categories,
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

/** What people want to know of a row of the table; plain data. */
export interface VariantRow {
  /** The number of the row, and what it is about. */
  readonly row: RowId;
  readonly what: string;
  /** Where the row is shown when no variant shows it. */
  readonly elsewhere?: string;
  readonly variants: readonly {
    readonly id: string;
    readonly says: string;
    readonly deserves: Deserved;
    readonly seen: string;
  }[];
}

/** The table of lawful services with the variants that show its rows. */
export function describeVariants(): readonly VariantRow[] {
  return Object.entries(rows).map(([number, row]) => ({
    row: number as RowId,
    ...row,
    variants: variants
      .filter((variant) => variant.row === number)
      .map(({ id, says, deserves, seen }) => ({ id, says, deserves, seen })),
  }));
}
