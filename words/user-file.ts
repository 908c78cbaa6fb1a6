import { readFileSync } from 'node:fs';
import { fileTrouble } from './file-trouble.ts';
import { UserError } from './user-error.ts';

/**
 * The text of a file that a user names.
 * @param what it is, at the beginning of a sentence: `The keys file`.
 * @throws {UserError} when it cannot be read.
 */
export function readUserFile(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`${what} ${path} cannot be read: ${fileTrouble(error)}.`);
  }
}
