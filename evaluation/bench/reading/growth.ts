import type { Shape } from './hostile-texts.ts';
import type { Reader } from './readers.ts';

/** How many times as long the longer text is. */
export const TIMES = 16;

/** Milliseconds below which a figure says more of the machine than of the reader. */
const FLOOR_MS = 4;

/** Milliseconds of a processor that reading takes: unlike time by the clock they do not depend on what else runs. */
function cost(read: Reader['read'], text: string): number {
  const { user } = process.cpuUsage();
  read(text);
  return (process.cpuUsage().user - user) / 1000;
}

/**
 * How many times as long a text takes that is `TIMES` as long: about `TIMES`
 * where time grows with length, and `TIMES` squared where it grows with its
 * square. The least of some tries, because a compiler and a collector of garbage
 * disturb the first.
 */
export function growth({ read, length }: Reader, shape: Shape, enough: number): number {
  const [short, long] = [shape(length), shape(length * TIMES)];
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > enough; tries += 1) {
    const base = Math.max(FLOOR_MS, cost(read, short));
    least = Math.min(least, cost(read, long) / base);
  }
  return least;
}
