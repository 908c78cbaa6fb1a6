/** An interval of time, in seconds. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The same time in as few intervals as possible, ascending: those that overlap become one. */
export function merged(intervals: readonly Interval[]): readonly Interval[] {
  const found: Interval[] = [];
  for (const { from, to } of [...intervals].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last !== undefined && from <= last.to)
      found[found.length - 1] = { ...last, to: Math.max(last.to, to) };
    else found.push({ from, to });
  }
  return found;
}
