import { KEYS } from './reading/hostile-texts.ts';
import { redaction } from './reading/readers.ts';
import type { BenchRow } from './row.ts';
import { atMost, rowOf } from './row.ts';

/** The most of a body that is read, in characters. */
const LONGEST_BODY = 5 * 1024 * 1024;

/** How many times as long the slowest key may take as an ordinary one. */
const MOST_TIMES_ORDINARY = 15;

const ORDINARY_KEY = 'an ordinary key' satisfies keyof typeof KEYS;

/** The longest body that is read, with the key that takes longest and with an ordinary one. It ends in the key, without which it would not be searched in full. */
export function measureReading(): readonly BenchRow[] {
  const letters = 'a'.repeat(LONGEST_BODY);
  const seconds = Object.entries(KEYS).map(([name, key]) => {
    const read = redaction(key);
    const { user } = process.cpuUsage();
    read(`${letters}${key}`);
    return { name, seconds: (process.cpuUsage().user - user) / 1e6 };
  });
  const slowest = Math.max(...seconds.map((one) => one.seconds));
  const ordinary = seconds.find(({ name }) => name === ORDINARY_KEY)?.seconds ?? Number.NaN;
  const name = 'redaction of a body of 5 MiB of one letter and a key: slowest key / ordinary key';
  return [rowOf(name, [slowest, ordinary], atMost(MOST_TIMES_ORDINARY))];
}
