import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';
import { readJournal } from './journal.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What the process holds and cannot let go of, in bytes. */
function held(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Writes a journal of this many exchanges, ten a second, each with a Remaining of its own. */
function write(path: string, exchanges: number): void {
  const run = new Synthesis();
  for (let i = 0; i < exchanges; i += 1) run.add({ left: 999 - (i % 1000), limit: 1000, sent: i * 100 });
  const lines = run.lines().map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(path, lines.join(''));
}

/** A third more than it takes. Without shared texts, headers and bodies it would take several times as much. */
const MOST_BYTES = 570;

test('an exchange of a long journal takes few bytes of memory, however many there are', (t) => {
  const folder = temporaryFolder(t);
  const [few, many] = [join(folder, 'few.ndjson'), join(folder, 'many.ndjson')];
  write(few, 2000);
  write(many, 20_000);
  // Whatever the reader itself needs it has after the first one.
  const short = readJournal(few);
  const before = held();
  const long = readJournal(many);
  const bytes = (held() - before) / 20_000;
  t.diagnostic(`${Math.round(bytes)} bytes for each exchange`);
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes for each exchange`);
  assert.deepEqual([short.lines.length, long.lines.length], [2002, 20_002]);
});
