import { UserError } from '../../words/user-error.ts';
import { PLACEHOLDERS, patternName } from '../probes/category-names.ts';

/** More characters than the name of a category needs. */
const LONGEST = 60;

/**
 * Reads how the names of categories are to be written, such as `Category {id}`,
 * for a target with rules of its own: {id} becomes 6 lower-case letters, {ID} 6
 * capital letters and {number} 8 digits, which are unique to the run.
 * @param from what it was given to, at the beginning of a sentence.
 * @throws {UserError} when there is not exactly one placeholder, or the rest cannot stand in a name.
 */
export function readNamePattern(text: string, from: string): string {
  const known = text.match(/\{(?:id|ID|number)\}/g) ?? [];
  const rest = text.replace(/\{(?:id|ID|number)\}/g, '');
  const ends = text === text.trim();
  if (
    known.length === 1 &&
    ends &&
    text.length <= LONGEST &&
    /^[\x20-\x7e]*$/.test(rest) &&
    !/["\\{}]/.test(rest)
  )
    return text;
  throw new UserError(
    `${from} takes a name with one of ${Object.keys(PLACEHOLDERS).join(', ')} in it, such as 'Category {id}': at most ${LONGEST} characters of ASCII, without quotation marks, backslashes, other braces, and spaces at either end.`,
  );
}

/** A name as this pattern writes it, for a preview. */
export const exampleName = (pattern: string): string => patternName(pattern, 'example');
