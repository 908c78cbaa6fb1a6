/** The smallest of any many numbers; Infinity of none. `Math.min(...numbers)` overflows the stack on a long journal. */
export const least = (numbers: Iterable<number>): number => {
  let found = Number.POSITIVE_INFINITY;
  for (const number of numbers) if (number < found) found = number;
  return found;
};

/** The greatest of any many numbers; -Infinity of none. */
export const greatest = (numbers: Iterable<number>): number => {
  let found = Number.NEGATIVE_INFINITY;
  for (const number of numbers) if (number > found) found = number;
  return found;
};
