import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sampleOf } from '../../../tools/sample.ts';
import { temporaryFolder } from '../../testing/tools/folder.ts';
import type { Shape } from './hostile-texts.ts';
import { KEYS, nearMisses, SHAPES } from './hostile-texts.ts';
import type { Reader } from './readers.ts';
import { readersIn, redaction } from './readers.ts';

/** How many times as long the longer text is. */
const TIMES = 16;

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
function growth({ read, length }: Reader, shape: Shape, enough: number): number {
  const [short, long] = [shape(length), shape(length * TIMES)];
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > enough; tries += 1) {
    const base = Math.max(FLOOR_MS, cost(read, short));
    least = Math.min(least, cost(read, long) / base);
  }
  return least;
}

/** Far more than growth in proportion to the length shows on a busy machine, and far less than growth with its square. */
const MOST = 2.5 * TIMES;

for (const reader of sampleOf(await readersIn(temporaryFolder({ after })))) {
  test(`time to read grows with the length of the text: ${reader.name}`, () => {
    for (const [name, shape] of Object.entries(SHAPES)) {
      const times = growth(reader, shape, MOST);
      assert.ok(times < MOST, `${name}: ${times.toFixed(0)} times as long`);
    }
  });
}

for (const [kind, key] of sampleOf(Object.entries(KEYS))) {
  test(`time to find a key grows with the length of the text: ${kind}`, () => {
    const reader = { name: kind, length: 2048, read: redaction(key) };
    for (const [name, shape] of Object.entries({ ...SHAPES, ...nearMisses(key) })) {
      const times = growth(reader, shape, MOST);
      assert.ok(times < MOST, `${name}: ${times.toFixed(0)} times as long`);
    }
  });
}

test('growth with the square of the length is seen', () => {
  // The long text takes far more than the least time that is measured, on a fast machine, too.
  const quadratic = { name: 'quadratic', length: 2048, read: (text: string) => /\s+x/.test(text) };
  const blanks = (length: number): string => ' '.repeat(length);
  const times = growth(quadratic, blanks, MOST);
  assert.ok(times > MOST, `${times.toFixed(0)} times as long`);
});
