import type { Sought } from './occurrences.ts';
import { escapedAt, isWord, literalAt } from './spelling.ts';

const known = new WeakMap<Sought, ReadonlyMap<number, bigint>>();

/**
 * The furthest end of a text that begins at a place, as it is or escaped, so
 * that a quotation mark goes with the backslash before it; the place itself where
 * the text does not begin there. For each place ahead one bit for each number of
 * characters that may have been read up to it.
 */
export function furthestEnd(text: string, start: number, sought: Sought): number {
  const places = known.get(sought) ?? placesOf(sought);
  known.set(sought, places);
  const all = 1n << BigInt([...sought.value].length);
  const ahead = new Map([[start, 1n]]);
  let end = start;
  for (let place = start; ahead.size > 0; place += 1) {
    const read = ahead.get(place);
    if (read === undefined) continue;
    ahead.delete(place);
    if ((read & all) !== 0n && !(sought.alone && isWord(text, place))) end = place;
    for (const spelt of [literalAt(text, place), escapedAt(text, place)]) {
      const more = spelt === undefined ? 0n : (read << 1n) & (places.get(spelt.code) ?? 0n);
      if (spelt !== undefined && more !== 0n) ahead.set(spelt.end, (ahead.get(spelt.end) ?? 0n) | more);
    }
  }
  return end;
}

/** For each character the numbers of characters that are read when it was the last one. */
function placesOf({ value }: Sought): ReadonlyMap<number, bigint> {
  const places = new Map<number, bigint>();
  for (const [i, one] of [...value].entries()) {
    const code = one.codePointAt(0) ?? 0;
    places.set(code, (places.get(code) ?? 0n) | (1n << BigInt(i + 1)));
  }
  return places;
}
