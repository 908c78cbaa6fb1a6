/** The smallest of any number of numbers; Infinity of none. `Math.min(...numbers)` overflows the stack on a long journal. */
export const least = (numbers: Iterable<number>): number => {
  let found = Number.POSITIVE_INFINITY;
  for (const number of numbers) if (number < found) found = number;
  return found;
};

export const greatest = (numbers: Iterable<number>): number => {
  let found = Number.NEGATIVE_INFINITY;
  for (const number of numbers) if (number > found) found = number;
  return found;
};

/** The median of any number of numbers: the mean of the two in the middle of an even number. NaN of none. */
export function medianOfNumbers(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const [a = Number.NaN, b = Number.NaN] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (a + b) / 2;
}

/** The items in groups of the same key, in the order in which each key first came. */
export function groupedBy<T, K>(
  items: Iterable<T>,
  keyOf: (item: T) => K,
): ReadonlyMap<K, readonly [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Works something out of an object once, and keeps it for as long as the object is in use. */
export function once<Of extends object, Found>(workOut: (of: Of) => Found): (of: Of) => Found {
  const known = new WeakMap<Of, { readonly found: Found }>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before.found;
    const found = workOut(of);
    known.set(of, { found });
    return found;
  };
}

/** At most so many of the items, evenly selected, in their order. */
export function thinned<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)] as T);
}

/** What is found first in these items, looked for one after another; undefined where none has it. */
export function firstFound<T, Found>(
  items: Iterable<T>,
  find: (item: T) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first index from which a condition holds, by halving; `length` where it nowhere does. It never ends to hold. */
export function firstFrom(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
