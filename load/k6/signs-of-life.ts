/** How often long work is reported, in milliseconds. */
const INTERVAL_MS = 30_000;

/**
 * Reports every half minute that work goes on, and for how long already.
 * @param what the work, as `building k6 from source`.
 */
export async function withSignsOfLife<T>(
  what: string,
  report: (line: string) => void,
  work: Promise<T>,
): Promise<T> {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += INTERVAL_MS / 1000;
    report(`k6: still ${what} (${seconds} s)`);
  }, INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
