import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { k6ProcessOf } from '../../evaluation/load/real-load.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { UserError } from '../../kernel/basics/errors.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { findProfile } from '../profiles/index.ts';
import { requireDiskSpace } from './guard.ts';
import type { LoadJob } from './k6-command.ts';
import { K6_FILES } from './k6-command.ts';
import { runK6 } from './k6-process.ts';
import { recordLoad } from './record-load.ts';
import { RUN_FILE } from './run-file.ts';
import { COMPRESSED_SAMPLES_FILE, compressSamples, SAMPLES_FILE } from './samples.ts';

/** A device on which every write fails for lack of space. */
const FULL = '/dev/full';

/** A folder in which this file cannot be written. */
function folderWithout(t: TestContext, name: string): string {
  const folder = temporaryFolder(t);
  symlinkSync(FULL, join(folder, name));
  return folder;
}

const jobIn = (folder: string): LoadJob => ({
  baseUrl: 'http://127.0.0.1:9/v1',
  profile: findProfile('smoke'),
  inputs: { limits: limitsOf(loadPlans(), 'free'), fleet: 1, minutes: 1 },
  keys: { key: 'pk-1234567890' },
  ...{ headers: [], tag: 'tag', folder, outputs: [] },
});

describe('a full disk', { skip: !existsSync(FULL) }, () => {
  test('keeps the raw samples, and no partial compressed file', async (t) => {
    const folder = folderWithout(t, COMPRESSED_SAMPLES_FILE);
    writeFileSync(join(folder, SAMPLES_FILE), 'one line\n');
    await assert.rejects(compressSamples(folder), { code: 'ENOSPC' });
    assert.deepEqual(readdirSync(folder), [SAMPLES_FILE]);
  });

  test('sends nothing where the file of the run cannot be written', async (t) => {
    const folder = folderWithout(t, RUN_FILE);
    const marker = join(folder, 'started');
    const k6 = join(folder, 'k6');
    writeFileSync(k6, `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
    const job = { ...jobIn(folder), plan: 'free' };
    await assert.rejects(recordLoad(job, { ...k6ProcessOf({ k6 }), k6Version: '2' }), UserError);
    assert.ok(!existsSync(marker), 'k6 was not started');
  });

  test('that is too small for the samples is seen beforehand', () => {
    requireDiskSpace('run', 62, 62 * 1024);
    assert.throws(() => requireDiskSpace('run', 4096, 2 ** 20), {
      name: 'UserError',
      message: /they need up to 4\.0 MiB, and 1\.0 MiB are free; nothing was sent/,
    });
  });

  test('is one sentence at the end of a run', async (t) => {
    const folder = folderWithout(t, K6_FILES.log);
    const k6 = join(folder, 'k6');
    writeFileSync(k6, '#!/bin/sh\necho ended >&2\n', { mode: 0o755 });
    await assert.rejects(runK6(jobIn(folder), k6ProcessOf({ k6 })), (error) => {
      assert.ok(error instanceof UserError);
      assert.match(
        error.message,
        /^The measurements cannot be kept in .+: the disk is full; free disk space/,
      );
      return true;
    });
  });
});
