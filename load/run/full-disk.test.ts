import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { findProfile } from '../profiles/index.ts';
import { K6_FILES } from './k6-command.ts';
import { runK6 } from './k6-process.ts';
import { RunFolderError } from './run-file.ts';
import { COMPRESSED_SAMPLES_FILE, compressSamples, SAMPLES_FILE } from './sample-files.ts';

/** A device on which every write fails for lack of space. */
const FULL = '/dev/full';

/** A folder in which this file cannot be written. */
function folderWithout(t: TestContext, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-full-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(FULL, join(folder, name));
  return folder;
}

describe('a full disk', { skip: !existsSync(FULL) }, () => {
  test('keeps the raw samples, and no partial compressed file', async (t) => {
    const folder = folderWithout(t, COMPRESSED_SAMPLES_FILE);
    writeFileSync(join(folder, SAMPLES_FILE), 'one line\n');
    await assert.rejects(compressSamples(folder), { code: 'ENOSPC' });
    assert.deepEqual(readdirSync(folder), [SAMPLES_FILE]);
  });

  test('is one sentence at the end of a run', async (t) => {
    const folder = folderWithout(t, K6_FILES.log);
    const k6 = join(folder, 'k6');
    writeFileSync(k6, '#!/bin/sh\necho ended >&2\n', { mode: 0o755 });
    const job = {
      baseUrl: 'http://127.0.0.1:9/v1',
      profile: findProfile('smoke'),
      inputs: { limits: limitsOf(loadPlans(), 'free'), fleet: 1, minutes: 1 },
      keys: { key: 'pk-1234567890', fleet: [] },
      ...{ headers: [], tag: 'tag', folder, outputs: [] },
    };
    const k6Process = { k6, env: process.env, signal: new AbortController().signal, sharesTerminal: false };
    await assert.rejects(runK6(job, k6Process), (error) => {
      assert.ok(error instanceof RunFolderError);
      assert.match(
        error.message,
        /^The measurements cannot be kept in .+: the disk is full; free disk space/,
      );
      return true;
    });
  });
});
