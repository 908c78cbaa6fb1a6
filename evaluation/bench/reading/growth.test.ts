import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sampleOf } from '../../../tools/sample.ts';
import { temporaryFolder } from '../../testing/tools/folder.ts';
import { growth, TIMES } from './growth.ts';
import { KEYS, nearMisses, SHAPES } from './hostile-texts.ts';
import { readersIn, redaction } from './readers.ts';

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
