import { UserError } from './errors.ts';
import type { Static } from './shape.ts';
import { about, maybe, object, someText, where } from './shape.ts';

export const productShape = where(
  object(
    'What the user stated about the product under test; it is not verified. Absent where nothing was stated.',
    {
      name: maybe(someText),
      vendor: maybe(someText),
      version: maybe(someText),
      configuration: about('How it was set up, as in "default, in-memory limiter".', maybe(someText)),
    },
  ),
  (product) => Object.keys(product).length > 0,
  'must state something',
  { minProperties: 1 },
);
/** The product under test, as the user states it. It is not verified: a report says who stated it. */
export type Product = Static<typeof productShape>;

export const PRODUCT_PARTS = ['name', 'vendor', 'version', 'configuration'] as const;

/** The longest part, in UTF-16 units: each stands on the first page of a report. */
const LONGEST_PART = 100;

/** Checks what a user states about the product. @throws {UserError} when a part of it cannot stand in a report. */
export function readProduct(given: Product = {}): Product | undefined {
  const stated = PRODUCT_PARTS.flatMap((part) => {
    const text = given[part];
    return text === undefined ? [] : [[part, checkedPart(text, `product.${part}`)] as const];
  });
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
}

function checkedPart(text: string, name: string): string {
  const trimmed = text.trim();
  const unusable = trimmed === '' || trimmed.length > LONGEST_PART || /[\p{Cc}\p{Cs}]/u.test(trimmed);
  if (!unusable) return trimmed;
  throw new UserError(`${name} takes a line of 1 to ${LONGEST_PART} characters without control characters.`);
}
