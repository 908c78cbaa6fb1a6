import { UserError } from '../../words/user-error.ts';
import type { Keys } from '../wire/keyring.ts';

/**
 * A token that can stand in `Authorization: Bearer` (RFC 6750 §2.1 allows fewer characters; servers allow
 * more). The message never repeats it.
 * @param which what to call the key, at the beginning of a sentence.
 * @throws {UserError} when it is empty or cannot stand in a header.
 */
export function checkedKey(value: string, which: string): string {
  if (value === '') throw new UserError(`${which} is empty.`);
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UserError(
    `${which} cannot be sent: a key is visible ASCII without spaces, quotation marks of the shell and line ends included.`,
  );
}

/**
 * The keys, each of a caller of its own. One key under two names would make two callers out of one, and
 * accuse the target of mixing them up.
 * @throws {UserError} when two are the same.
 */
export function distinctKeys(keys: Keys): Keys {
  const { key, other, exhausted, disposable, plans = {} } = keys;
  const all: readonly (readonly [name: string, value: string | undefined])[] = [
    ['the key under examination', key],
    ['the other key', other],
    ['the spent key', exhausted],
    ['the sacrificial key', disposable],
    ...Object.entries(plans).map(([plan, value]) => [`the key of plan ${plan}`, value] as const),
  ];
  const seen = new Map<string, string>();
  for (const [name, value] of all) {
    if (value === undefined) continue;
    const first = seen.get(value);
    if (first !== undefined) {
      throw new UserError(
        `${upper(first)} and ${name} are the same: each must belong to a caller of its own.`,
      );
    }
    seen.set(value, name);
  }
  return keys;
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
