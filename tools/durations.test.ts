import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { longestFirst, measuredDurations, readDurations, writeDurations } from './durations.ts';

test('the longest file starts first, and before it what was never measured', () => {
  const durations = { short: { seconds: 1, cpuSeconds: 9 }, long: { seconds: 8, cpuSeconds: 2 } };
  assert.deepEqual(longestFirst(['short', 'new', 'long', 'newer'], durations), [
    'new',
    'newer',
    'long',
    'short',
  ]);
});

test('durations are those of the last run of each file; other programs have none', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'durations-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'deep', 'durations.json');
  assert.deepEqual(readDurations(path), {});
  const names = new Map([
    ['/compiled/a.mjs', 'a.test.ts'],
    ['/compiled/b.mjs', 'b.test.ts'],
  ]);
  writeDurations(path, measuredDurations('/compiled/a.mjs\t2.5\t1.0\n/compiled/b.mjs\t1.0\t0.5\n', names));
  writeDurations(path, measuredDurations('/compiled/b.mjs\t7.0\t3.0\n/usr/bin/other\t9.0\t9.0\n', names));
  assert.deepEqual(Object.entries(readDurations(path)), [
    ['b.test.ts', { seconds: 7, cpuSeconds: 3 }],
    ['a.test.ts', { seconds: 2.5, cpuSeconds: 1 }],
  ]);
});
