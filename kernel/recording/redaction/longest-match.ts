import { escapesAt, isWordCharacter, literalAt } from './escapes.ts';
import type { Sought } from './secret.ts';
import { codePointsOf } from './secret.ts';

const positionsBySecret = new WeakMap<Sought, ReadonlyMap<number, bigint>>();

/**
 * The end of the longest match of a secret at a place, literal or escaped, so that
 * a backslash is removed with the quotation mark after it; the place itself where
 * nothing matches. `ahead` holds, for each later place, one bit for each number of
 * characters of the secret that may have been read up to it.
 */
export function endOfLongestMatch(text: string, start: number, sought: Sought): number {
  const positions = positionsBySecret.get(sought) ?? positionsOf(sought);
  positionsBySecret.set(sought, positions);
  const all = 1n << BigInt(codePointsOf(sought.value).length);
  const ahead = new Map([[start, 1n]]);
  let end = start;
  const isOpen = sought.alone && isWordCharacter(sought.value, sought.value.length - 1);
  for (let place = start; ahead.size > 0; place += 1) {
    const read = ahead.get(place);
    if (read === undefined) continue;
    ahead.delete(place);
    if ((read & all) !== 0n && !(isOpen && isWordCharacter(text, place))) end = place;
    for (const character of [literalAt(text, place), ...escapesAt(text, place)]) {
      const more = (read << 1n) & (positions.get(character.code) ?? 0n);
      if (more !== 0n) ahead.set(character.end, (ahead.get(character.end) ?? 0n) | more);
    }
  }
  return end;
}

/** For each character, the numbers of characters that have been read after it. */
function positionsOf({ value }: Sought): ReadonlyMap<number, bigint> {
  const positions = new Map<number, bigint>();
  for (const [i, code] of codePointsOf(value).entries()) {
    positions.set(code, (positions.get(code) ?? 0n) | (1n << BigInt(i + 1)));
  }
  return positions;
}
