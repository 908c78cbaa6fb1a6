import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import {
  durationsOf,
  filesEndingIn,
  longestFirst,
  readCosts,
  readDurations,
  testFiles,
  writeDurations,
} from './durations.ts';

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
  const folder = temporaryFolder(t);
  const path = join(folder, 'deep', 'durations.json');
  assert.deepEqual(readDurations(path), {});
  const names = new Map([
    ['/compiled/a.mjs', 'a.test.ts'],
    ['/compiled/b.mjs', 'b.test.ts'],
  ]);
  writeDurations(
    path,
    durationsOf(readCosts('/compiled/a.mjs\t2.5\t1.0\n/compiled/b.mjs\t1.0\t0.5\n'), names),
  );
  writeDurations(
    path,
    durationsOf(readCosts('/compiled/b.mjs\t7.0\t3.0\n/usr/bin/other\t9.0\t9.0\n'), names),
  );
  assert.deepEqual(Object.entries(readDurations(path)), [
    ['b.test.ts', { seconds: 7, cpuSeconds: 3 }],
    ['a.test.ts', { seconds: 2.5, cpuSeconds: 1 }],
  ]);
});

describe('the test files of the project', () => {
  const root = temporaryFolder({ after });

  before(async () => {
    const files = ['b/b.test.ts', 'a/deep/a.test.ts', 'ab/c.test.ts', 'a/a.ts', 'a/a.spec.ts'];
    for (const file of [...files, 'node_modules/x/x.test.ts', 'out/o.test.ts', '.hidden/h.test.ts']) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), '');
    }
  });

  it('are found in every room, sorted, and nowhere else', () => {
    assert.deepEqual(testFiles(root, []), ['a/deep/a.test.ts', 'ab/c.test.ts', 'b/b.test.ts']);
  });

  it('are narrowed to folders and files', () => {
    assert.deepEqual(testFiles(root, ['./a/', 'b/b.test.ts']), ['a/deep/a.test.ts', 'b/b.test.ts']);
  });
});

it('every file of the project has a name that Windows and macOS can have', () => {
  const files = filesEndingIn(fileURLToPath(new URL('..', import.meta.url)), '');
  const reserved = /[<>:"|?*\\]|[. ]$|(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/im;
  assert.deepEqual(
    files.filter((path) => reserved.test(path) || path.length > 160),
    [],
  );
  const folded = files.map((path) => path.toLowerCase());
  assert.deepEqual(
    files.filter((_, at) => folded.indexOf(folded[at] ?? '') !== at),
    [],
  );
});
