import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REPORTS } from '../../reports/run-folder.ts';
import { sampleOf } from '../../tools/sample.ts';
import { virtualRun } from '../simulation/virtual-run.ts';
import { run, start } from '../testing/cli/command.ts';
import { assertConformsOrBusy } from '../testing/tools/busy-machine.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import { assertNothingLost, describeAccident, judgeUndamaged, prepareRun } from './accidents.ts';

// Full disks and removed folders.

const MINUTE = 1;

/** The run ended because of its journal and named the cause, and its journal is complete. */
function assertDiskFull(
  journal: string,
  { code, err }: { code: number | null; err: string },
  why: RegExp,
): void {
  assert.equal(code, 2, err);
  assert.match(
    err,
    /\npetstore-conformance: The journal run\/journal\.ndjson cannot be written any further: [^\n]+\. The exchanges before that are kept: free some space and start a new run, or judge them with: npx --offline petstore-conformance judge run\/journal\.ndjson\n$/,
  );
  assert.match(err, why);
  assertNothingLost(journal, err);
  assert.ok(judgeUndamaged(journal).exchanges.length > 5);
}

const noMounts =
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /tmp']).status === 0
    ? false
    : 'this user may not mount a file system';

/** Runs a command with the folder `run` on a disk of this size, and copies that folder to `copy` afterwards. */
const onSmallDisk = (size: string): string =>
  `exec unshare -rm sh -c 'mount -t tmpfs -o size=${size} tmpfs run && "$@"; code=$?; cp -r run copy; exit $code' sh "$@"`;

const ALL_FILES = [...REPORTS, 'journal.ndjson'].sort();

describeAccident('full disk', () => {
  test('files may not grow', { skip: process.platform === 'win32' }, async (t) => {
    const { cwd, args, env } = await prepareRun(t, MINUTE);
    // A block is half a kibibyte in some shells and a whole one in others.
    const ended = await run(t, args, { cwd, env, script: 'ulimit -f 40; exec "$@"' });
    assertDiskFull(join(cwd, 'run', 'journal.ndjson'), ended, /the file size limit is reached/);
  });

  test('the disk is full', { skip: noMounts }, async (t) => {
    const { cwd, args, env } = await prepareRun(t, MINUTE);
    mkdirSync(join(cwd, 'run'));
    const ended = await run(t, args, { cwd, env, script: onSmallDisk('32k') });
    assertDiskFull(join(cwd, 'copy', 'journal.ndjson'), ended, /the disk is full/);
  });
});

describeAccident('no space for reports', () => {
  test('when it judges a journal', { skip: noMounts }, async (t) => {
    const cwd = temporaryFolder(t);
    const { lines } = await virtualRun();
    const journal = join(cwd, 'journal.ndjson');
    writeFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    mkdirSync(join(cwd, 'run'));
    const { code, err } = await run(t, ['judge', journal, '--out', 'run'], {
      cwd,
      script: onSmallDisk('64k'),
    });
    assert.equal(code, 2, err);
    assert.match(
      err,
      /^petstore-conformance: The reports could not be written to run\S*: the disk is full; resolve this/,
    );
    assert.ok(
      readdirSync(join(cwd, 'copy')).every((name) => ALL_FILES.includes(name)),
      'no temporary files',
    );
  });
});

const folderChanges: Readonly<Record<string, (folder: string) => void>> = {
  'is removed': (folder) => rmSync(folder, { recursive: true }),
  'is moved away': (folder) => renameSync(folder, `${folder}-elsewhere`),
  'is replaced by an older copy': (folder) => {
    cpSync(folder, `${folder}-copy`, { recursive: true });
    rmSync(folder, { recursive: true });
    renameSync(`${folder}-copy`, folder);
  },
};

describeAccident('folder gone', () => {
  for (const [how, change] of sampleOf(Object.entries(folderChanges))) {
    test(`it ${how}`, { skip: process.platform === 'win32' }, async (t) => {
      const { cwd, args, env } = await prepareRun(t, MINUTE);
      const running = start(t, args, { cwd, env });
      await running.until('exhaust-quota: ');
      change(join(cwd, 'run'));
      const ended = await running.ended();
      assertConformsOrBusy(ended);
      const { outcome } = judgeUndamaged(join(cwd, 'run', 'journal.ndjson')).record;
      assert.equal(outcome, ended.code === 0 ? 'conforms' : 'incomplete');
      assert.deepEqual(readdirSync(join(cwd, 'run')).sort(), ALL_FILES);
    });
  }
});

describeAccident('folder gone for good', () => {
  test('the run ends and names the cause', {
    skip: process.platform === 'win32',
  }, async (t) => {
    const { cwd, args, env } = await prepareRun(t, MINUTE);
    const running = start(t, args, { cwd, env });
    await running.until('exhaust-quota: ');
    rmSync(cwd, { recursive: true });
    const { code, err } = await running.ended();
    assert.equal(code, 2, err);
    assert.match(
      err,
      /\npetstore-conformance: The journal run\/journal\.ndjson cannot be written any further: there is no such file or folder\./,
    );
    assert.equal(existsSync(cwd), false);
  });
});
