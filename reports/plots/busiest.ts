import type { Interval } from './intervals.ts';

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
