import { UserError } from '../../words/user-error.ts';
import type { InputNames } from './input-names.ts';

/** Printable ASCII without a line end, so that it can be compared by eye and typed on a command line. */
const CHALLENGE = /^[\x20-\x7e]{8,200}$/;

/**
 * Checks the examiner's text that the names of a run carry; undefined where none is given.
 * @throws {UserError} when it cannot be compared by eye, or the names already have a pattern.
 */
export function readChallenge(
  challenge: string | undefined,
  namePattern: string | undefined,
  names: Pick<InputNames, 'challenge' | 'namePattern'>,
): string | undefined {
  if (challenge === undefined) return undefined;
  if (!CHALLENGE.test(challenge)) {
    throw new UserError(
      `${names.challenge} takes 8 to 200 printable ASCII characters that an examiner chose, such as "audit 2026-11-22 8f3a".`,
    );
  }
  if (namePattern === undefined) return challenge;
  throw new UserError(
    `${names.challenge} and ${names.namePattern} cannot be combined: the names carry either the challenge or the pattern.`,
  );
}
