import { UserError } from '../../../kernel/basics/errors.ts';
import { capitalized } from '../../../kernel/basics/text.ts';
import { isOfProtocol } from '../../../kernel/recording/redaction/redact.ts';
import type { Keys } from '../wire/keyring.ts';
import { keysByCaller, planIn } from '../wire/keyring.ts';

/** A key that is shorter occurs in responses by chance. */
const SHORTEST_KEY = 6;

/** Servers accept more characters than RFC 6750 §2.1 has. The message never repeats the key. @param which what to call the key. */
export function checkedKey(value: string, which: string): string {
  if (value === '') throw new UserError(`${which} is empty: set it to the API key.`);
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new UserError(
      `${which} cannot be sent in a header: a key consists of visible ASCII characters without spaces, so check for quotation marks and line ends that were copied with it.`,
    );
  }
  if (value.length < SHORTEST_KEY) {
    throw new UserError(
      `${which} has fewer than ${SHORTEST_KEY} characters: so short a text occurs in responses by chance, and could not be kept out of what is recorded; take a longer key.`,
    );
  }
  // A response without what every service writes would not be the one that came.
  if (isOfProtocol(value)) {
    throw new UserError(
      `${which} is a word of the protocol: kept out of what is recorded, it would be missing in conforming responses; take another key.`,
    );
  }
  return value;
}

/** Checks the keys that a program gives as this parameter. @throws {UserError} for the first wrong one, not repeating it. */
export function checkedKeys(keys: Keys, parameter: string): Keys {
  for (const [name, value] of parametersOf(keys)) {
    // A program in JavaScript easily gives a variable of the environment that is not set.
    if (typeof value !== 'string')
      throw new UserError(`${parameter}.${name} is not set: set it to the API key.`);
    checkedKey(value, `${parameter}.${name}`);
  }
  return distinctKeys(keys);
}

/** Every key by the name of its parameter; roles that are left out are undefined on purpose, except for the first. */
function parametersOf({ plans = {}, key, ...others }: Keys): readonly (readonly [string, unknown])[] {
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  const further = Object.entries(plans).map(([plan, value]) => [`plans.${plan}`, value] as const);
  return [['key', key], ...given, ...further];
}

/** Checks that no key is given twice: it would look like a target that mixes up its callers. @throws {UserError} */
export function distinctKeys(keys: Keys): Keys {
  const seen = new Map<string, string>();
  for (const [caller, value] of keysByCaller(keys)) {
    const plan = planIn(caller);
    const role = caller === 'key' ? 'the key under test' : `the ${caller} key`;
    const name = plan === undefined ? role : `the key of plan ${plan}`;
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
