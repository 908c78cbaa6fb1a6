import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { numbersTo, sampleOf } from '../../tools/sample.ts';
import { virtualRun } from '../simulation/virtual-run.ts';
import { rowsOf } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import { describeAccident, judgeWithoutFail } from './accidents.ts';

// A damaged journal: all other lines are read and judged, the damage is reported with its line number, and no
// requirement fails for a conforming target.

const lines = (await virtualRun()).lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
const MIDDLE = Math.floor(lines.length / 2);
/** Of every line but the first, which says what the journal is. */
const places = numbersTo(lines.length - 1);

/** Kinds of damage to one line. */
const damages: Readonly<Record<string, (line: Buffer) => Buffer>> = {
  'the line is cut': (line) => Buffer.concat([line.subarray(0, line.length / 2), Buffer.from('\n')]),
  'some of its bytes are overwritten': (line) =>
    Buffer.concat([line.subarray(0, 40), Buffer.from([0x00, 0xff, 0xfe, 0x1b, 0x9b]), line.subarray(45)]),
  'it consists of zeros, as after a crash of the machine': (line) =>
    Buffer.concat([Buffer.alloc(line.length - 1), Buffer.from('\n')]),
  'it is not UTF-8': (line) => Buffer.from(line.map((byte) => (byte === 0x22 ? 0xe9 : byte))),
  'a byte of one of its strings is not UTF-8': (line) => {
    const at = line.indexOf('"text"');
    const damaged = Buffer.from(line);
    damaged[(at === -1 ? line.indexOf('probe') : at) + 2] = 0xe9;
    return damaged;
  },
  'it is empty JSON': () => Buffer.from('{}\n'),
  'it is another program’s line': () => Buffer.from('{"kind":"exchange","n":1,"level":"info"}\n'),
};

describeAccident('line damaged', () => {
  for (const [what, change] of Object.entries(damages)) {
    for (const [where, at] of [
      ['in the middle', MIDDLE],
      ['in the last exchange', lines.length - 2],
    ] as const) {
      test(`${what}, ${where}`, (t) => {
        const path = join(temporaryFolder(t), 'journal.ndjson');
        writeFileSync(path, Buffer.concat(lines.map((line, n) => (n === at ? change(line) : line))));
        const run = judgeWithoutFail(path);
        assert.deepEqual(run.damage, [`Line ${at + 1} of ${path} is damaged and was left out.`]);
        assert.ok(run.record.remarks.includes(run.damage[0] ?? ''));
        assert.equal(run.lines.length, lines.length - 1);
        assert.deepEqual(
          run.lines.map((line) => JSON.stringify(line)),
          lines.filter((_, n) => n !== at).map((line) => line.toString().trimEnd()),
        );
      });
    }
  }
});

describeAccident('line feed missing', () => {
  test('in the middle', (t) => {
    const path = join(temporaryFolder(t), 'journal.ndjson');
    writeFileSync(path, Buffer.concat(lines.map((line, n) => (n === MIDDLE ? line.subarray(0, -1) : line))));
    const run = judgeWithoutFail(path);
    assert.deepEqual(run.damage, [`Line ${MIDDLE + 1} of ${path} is damaged and was left out.`]);
    assert.equal(run.lines.length, lines.length - 2);
  });
});

describeAccident('line duplicated', () => {
  test('any of them: the record stays the same', (t) => {
    const path = join(temporaryFolder(t), 'journal.ndjson');
    const undamaged = judgeLines(path, lines);
    for (const at of sampleOf(places.slice(0, -1))) {
      const duplicated = judgeLines(
        path,
        lines.flatMap((line, n) => (n === at ? [line, line] : [line])),
      );
      // The digest is that of the file, which differs.
      const { journal: _, ...record } = duplicated.record;
      assert.deepEqual({ ...record, journal: undamaged.record.journal }, undamaged.record, `line ${at + 1}`);
    }
  });
});

describeAccident('line missing', () => {
  test('any of them: no requirement fails', (t) => {
    const path = join(temporaryFolder(t), 'journal.ndjson');
    for (const at of sampleOf(places)) {
      judgeLines(
        path,
        lines.filter((_, n) => n !== at),
      );
    }
  });
});

function judgeLines(path: string, some: readonly Buffer[]) {
  writeFileSync(path, Buffer.concat(some));
  return judgeWithoutFail(path);
}

test('every accident has tests', () => {
  const folder = new URL('.', import.meta.url);
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const tested = texts.flatMap((text) =>
    [...text.matchAll(/^describeAccident\('([^']+)'/gm)].map(([, id]) => id),
  );
  const stated = rowsOf(readFileSync('evaluation/NOTHING-LOST.md', 'utf8')).map((cells) => cells.at(-1));
  assert.deepEqual(tested.sort(), stated.sort());
});
