import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { growth, TIMES } from './reading/growth.ts';
import type { Shape } from './reading/hostile-texts.ts';
import { KEYS, nearMisses, SHAPES } from './reading/hostile-texts.ts';
import type { Reader } from './reading/readers.ts';
import { readersIn, redaction } from './reading/readers.ts';
import type { Row } from './row.ts';

/** Growth with the length alone, and as much again for what a machine does besides. */
const MOST_GROWTH = 2 * TIMES;

/** The most of a body that is read, in characters. */
const LONGEST_BODY = 5 * 1024 * 1024;

/** The most seconds that it may take to redact one, whatever it and the key are. Of an ordinary key it takes a fifth of one. */
const MOST_SECONDS = 5;

/** Reads hostile texts with everything that runs over bytes of a target: does the time grow with their length alone? */
export async function measureReading(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const readers = await readersIn(folder);
    return [
      growthRow(`${readers.length} readers of ${count(SHAPES)} hostile texts`, readers, () => SHAPES),
      growthRow(`redaction of ${count(KEYS)} keys from hostile texts and near misses`, redactions, textsFor),
      longestBody(),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const count = (table: object): number => Object.keys(table).length;

const redactions: readonly Reader[] = Object.values(KEYS).map((key) => ({
  name: key,
  length: 4096,
  read: redaction(key),
}));

const textsFor = ({ name: key }: Reader): Readonly<Record<string, Shape>> => ({
  ...SHAPES,
  ...nearMisses(key),
});

/** The greatest growth of any reader on any text. */
function growthRow(
  what: string,
  readers: readonly Reader[],
  texts: (reader: Reader) => Readonly<Record<string, Shape>>,
): Row {
  const all = readers.flatMap((reader) =>
    Object.values(texts(reader)).map((shape) => growth(reader, shape, MOST_GROWTH)),
  );
  return {
    name: `${what}: growth of time with ${TIMES} times the length`,
    figure: Math.max(...all),
    unit: '',
    aim: { is: 'at most', value: MOST_GROWTH },
  };
}

/** The longest body there is, over the key and the text that take longest. */
function longestBody(): Row {
  const text = 'a'.repeat(LONGEST_BODY);
  const seconds = redactions.map(({ read }) => {
    const { user } = process.cpuUsage();
    read(text);
    return (process.cpuUsage().user - user) / 1e6;
  });
  return {
    name: 'redaction of a body of 5 MiB of one letter, by any key',
    figure: Math.max(...seconds),
    unit: ' s',
    aim: { is: 'at most', value: MOST_SECONDS },
  };
}
