/**
 * Every way to divide these items into groups that are not empty, each way
 * once. Their number grows faster than any power (Bell numbers: 15 for four
 * items, 203 for six), so a caller bounds the items.
 */
export function partitions<T>(items: readonly T[]): readonly (readonly (readonly T[])[])[] {
  const [first, ...rest] = items;
  if (first === undefined) return [[]];
  return partitions(rest).flatMap((groups) => [
    ...groups.map((group, at) => groups.with(at, [first, ...group])),
    [[first], ...groups],
  ]);
}
