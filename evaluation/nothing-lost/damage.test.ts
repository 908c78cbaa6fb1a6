import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { virtualRun } from '../simulation/virtual-run.ts';
import { temporaryFolder } from '../testing/cli/command.ts';
import { afterwards } from './accidents.ts';
import { keptAt } from './kept.ts';

// A journal that was damaged in the middle: every other line is read and judged, the damage is told with its
// line, and a conforming target is accused of nothing.

const lines = (await virtualRun()).lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
const MIDDLE = Math.floor(lines.length / 2);

/** What happened to the line at an index; the number of lines that are then damaged follows from what is reported. */
const damages: Readonly<Record<string, (line: Buffer) => Buffer>> = {
  'the line is cut': (line) => Buffer.concat([line.subarray(0, line.length / 2), Buffer.from('\n')]),
  'garbage stands in it': (line) =>
    Buffer.concat([line.subarray(0, 40), Buffer.from([0x00, 0xff, 0xfe, 0x1b, 0x9b]), line.subarray(45)]),
  'zeros stand in its place, as after a crash of the machine': (line) =>
    Buffer.concat([Buffer.alloc(line.length - 1), Buffer.from('\n')]),
  'its bytes are no UTF-8': (line) => Buffer.from(line.map((byte) => (byte === 0x22 ? 0xe9 : byte))),
  'a byte inside one of its texts is no UTF-8': (line) => {
    const at = line.indexOf('"text"');
    const spoiled = Buffer.from(line);
    spoiled[(at === -1 ? line.indexOf('probe') : at) + 2] = 0xe9;
    return spoiled;
  },
  'it is empty JSON': () => Buffer.from('{}\n'),
  'it is another program’s line': () => Buffer.from('{"kind":"exchange","n":1,"level":"info"}\n'),
};

afterwards('line spoiled', () => {
  for (const [what, change] of Object.entries(damages)) {
    for (const [where, at] of [
      ['in the middle', MIDDLE],
      ['in the last exchange', lines.length - 2],
    ] as const) {
      test(`${what}, ${where}`, (t) => {
        const path = join(temporaryFolder(t), 'journal.ndjson');
        writeFileSync(path, Buffer.concat(lines.map((line, n) => (n === at ? change(line) : line))));
        const kept = keptAt(path);
        assert.deepEqual(kept.damage, [`Line ${at + 1} of ${path} is damaged and was left out.`]);
        assert.ok(kept.record.remarks.includes(kept.damage[0] ?? ''));
        assert.equal(kept.lines.length, lines.length - 1);
        assert.deepEqual(
          kept.lines.map((line) => JSON.stringify(line)),
          lines.filter((_, n) => n !== at).map((line) => line.toString().trimEnd()),
        );
      });
    }
  }
});

afterwards('line feed missing', () => {
  test('in the middle', (t) => {
    const path = join(temporaryFolder(t), 'journal.ndjson');
    writeFileSync(path, Buffer.concat(lines.map((line, n) => (n === MIDDLE ? line.subarray(0, -1) : line))));
    const kept = keptAt(path);
    assert.deepEqual(kept.damage, [`Line ${MIDDLE + 1} of ${path} is damaged and was left out.`]);
    assert.equal(kept.lines.length, lines.length - 2);
  });
});

afterwards('line twice', () => {
  test('any of them: nobody is accused of it', (t) => {
    const path = join(temporaryFolder(t), 'journal.ndjson');
    const whole = keptAfter(path, lines);
    for (let at = 1; at < lines.length - 1; at += 1) {
      const twice = keptAfter(
        path,
        lines.flatMap((line, n) => (n === at ? [line, line] : [line])),
      );
      assert.deepEqual(twice.record, whole.record, `line ${at + 1}`);
    }
  });
});

afterwards('line missing', () => {
  test('any of them: nobody is accused', (t) => {
    const path = join(temporaryFolder(t), 'journal.ndjson');
    for (let at = 1; at < lines.length; at += 1) {
      keptAfter(
        path,
        lines.filter((_, n) => n !== at),
      );
    }
  });
});

function keptAfter(path: string, some: readonly Buffer[]) {
  writeFileSync(path, Buffer.concat(some));
  return keptAt(path);
}
