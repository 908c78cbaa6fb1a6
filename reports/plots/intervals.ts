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

/** The share of all requests in the busiest period. */
const BUSIEST_SHARE = 0.8;

/** A busiest period shorter than this share of the plot is too short to be visible in it. */
const ENLARGED_SHARE = 0.1;

/**
 * The shortest period that contains most requests and their responses, in seconds, where it is too short to be
 * visible in a plot of so many seconds; undefined where no plot of its own is needed.
 * @param requests in the order of sending.
 */
export function hiddenPeriod(
  requests: readonly { readonly sent: number; readonly received: number }[],
  seconds: number,
): Interval | undefined {
  const many = Math.ceil(requests.length * BUSIEST_SHARE);
  let found: Interval | undefined;
  for (const [i, { sent: from }] of requests.entries()) {
    const to = many > 1 ? requests[i + many - 1]?.received : undefined;
    if (to === undefined) break;
    if (found === undefined || to - from < found.to - found.from) found = { from, to };
  }
  return found !== undefined && found.to - found.from < seconds * ENLARGED_SHARE ? found : undefined;
}
