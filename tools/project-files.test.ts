import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import { filesEndingIn, testFiles } from './project-files.ts';

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
  const impossible = files.filter((path) => reserved.test(path) || path.length > 160);
  assert.deepEqual(impossible, []);
  const folded = files.map((path) => path.toLowerCase());
  const alike = files.filter((_, at) => folded.indexOf(folded[at] ?? '') !== at);
  assert.deepEqual(alike, []);
});
