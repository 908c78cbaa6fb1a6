import { inTemporaryFolder } from '../testing/tools/folder.ts';
import { growth, TIMES } from './reading/growth.ts';
import type { Shape } from './reading/hostile-texts.ts';
import { KEYS, nearMisses, SHAPES } from './reading/hostile-texts.ts';
import type { Reader } from './reading/readers.ts';
import { readersIn, redaction } from './reading/readers.ts';
import type { BenchRow } from './row.ts';
import { atMost, rounded, rowOf } from './row.ts';

/** Growth in proportion to the length, and as much again for measuring errors. */
const MOST_GROWTH = 2 * TIMES;

/** The most of a body that is read, in characters. */
const LONGEST_BODY = 5 * 1024 * 1024;

/** How many times as long the slowest key may take as an ordinary one. */
const MOST_TIMES_ORDINARY = 15;

const ORDINARY_KEY = 'an ordinary key' satisfies keyof typeof KEYS;

/** Reads hostile texts with everything that runs over bytes of a target: does the time grow in proportion to the length? */
export const measureReading = () =>
  inTemporaryFolder(async (folder): Promise<readonly BenchRow[]> => {
    const readers = await readersIn(folder);
    return [
      growthRow(`${readers.length} readers, ${count(SHAPES)} hostile texts`, readers, () => SHAPES),
      growthRow(`redaction of ${count(KEYS)} keys, hostile texts and near misses`, redactions, textsFor),
      longestBody(),
    ];
  });

const count = (table: object): number => Object.keys(table).length;

const redactions: readonly Reader[] = Object.entries(KEYS).map(([kind, key]) => ({
  name: kind,
  length: 4096,
  read: redaction(key),
}));

const textsFor = ({ name: kind }: Reader): Readonly<Record<string, Shape>> => ({
  ...SHAPES,
  ...nearMisses(KEYS[kind] ?? ''),
});

/** The largest growth of any reader with any text. */
function growthRow(
  what: string,
  readers: readonly Reader[],
  texts: (reader: Reader) => Readonly<Record<string, Shape>>,
): BenchRow {
  const all = readers.flatMap((reader) =>
    Object.values(texts(reader)).map((shape) => growth(reader, shape, MOST_GROWTH)),
  );
  return rowOf(
    `${what}: growth of time / of length`,
    [Math.max(...all), TIMES],
    atMost(MOST_GROWTH / TIMES),
    (times) => `${rounded(times)} times`,
  );
}

/** The longest body that is read, with the key that takes longest and with an ordinary one. It ends in the key, without which it would not be searched in full. */
function longestBody(): BenchRow {
  const letters = 'a'.repeat(LONGEST_BODY);
  const seconds = redactions.map(({ name, read }) => {
    const text = `${letters}${KEYS[name] ?? ''}`;
    const { user } = process.cpuUsage();
    read(text);
    return { name, seconds: (process.cpuUsage().user - user) / 1e6 };
  });
  const slowest = Math.max(...seconds.map((one) => one.seconds));
  const ordinary = seconds.find(({ name }) => name === ORDINARY_KEY)?.seconds ?? Number.NaN;
  const name = 'redaction of a body of 5 MiB of one letter and a key: slowest key / ordinary key';
  return rowOf(name, [slowest, ordinary], atMost(MOST_TIMES_ORDINARY));
}
