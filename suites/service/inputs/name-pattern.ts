import { randomInt } from 'node:crypto';
import { UserError } from '../../../kernel/basics/errors.ts';
import { PLACEHOLDERS, patternName } from '../probes/category-requests.ts';

/** More characters than the name of a category needs. */
const MOST_CHARACTERS = 60;

/** ASCII characters but quotation marks, backslashes and braces, around one placeholder. */
const PATTERN = /^[ !#-[\]-z|~]*\{(?:id|ID|number)\}[ !#-[\]-z|~]*$/;

/** @param input what the user calls it, at the beginning of a sentence. @throws {UserError} when the pattern cannot stand in a name. */
export function readNamePattern(text: string | undefined, input: string): string | undefined {
  if (text === undefined) return undefined;
  if (text.length <= MOST_CHARACTERS && text === text.trim() && PATTERN.test(text)) return text;
  throw new UserError(
    `${input} takes a name with exactly one of ${Object.keys(PLACEHOLDERS).join(', ')} in it, such as 'Category {id}': at most ${MOST_CHARACTERS} ASCII characters, without quotation marks, backslashes, other braces, or spaces at either end.`,
  );
}

export const exampleName = (pattern: string): string => patternName(pattern, 'example');

/** A random part of the names of a run's categories and folder, so that no two runs collide: eight characters of `[a-z0-9]`. */
export const randomTag = (): string =>
  randomInt(36 ** 8)
    .toString(36)
    .padStart(8, '0');
