import { UserError } from '../../words/user-error.ts';
import type { Keys } from '../wire/keyring.ts';

/**
 * Checks that a key can stand in `Authorization: Bearer` (RFC 6750 §2.1 allows fewer characters than these, but
 * servers accept more). The message never repeats the key.
 * @param which what to call the key, at the beginning of a sentence.
 * @throws {UserError} when it is empty or cannot stand in a header.
 */
export function checkedKey(value: string, which: string): string {
  if (value === '') throw new UserError(`${which} is empty: set it to the API key.`);
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UserError(
    `${which} cannot be sent in a header: a key consists of visible ASCII characters without spaces, so check for quotation marks and line ends that were copied with it.`,
  );
}

/**
 * Checks that no key is given twice: one key in two roles would look like a target that mixes up its callers.
 * @throws {UserError} when two are the same.
 */
export function distinctKeys(keys: Keys): Keys {
  const { key, other, exhausted, disposable, plans = {} } = keys;
  const all: readonly (readonly [name: string, value: string | undefined])[] = [
    ['the key under test', key],
    ['the other key', other],
    ['the exhausted key', exhausted],
    ['the disposable key', disposable],
    ...Object.entries(plans).map(([plan, value]) => [`the key of plan ${plan}`, value] as const),
  ];
  const seen = new Map<string, string>();
  for (const [name, value] of all) {
    if (value === undefined) continue;
    const first = seen.get(value);
    if (first !== undefined) {
      throw new UserError(
        `${capitalized(first)} and ${name} are the same: give each role a key of a different caller.`,
      );
    }
    seen.set(value, name);
  }
  return keys;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
