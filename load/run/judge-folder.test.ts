import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { judgeParts } from './judge-folder.ts';
import type { LoadRunFile } from './run-file.ts';
import { RUN_FILE, RunFolderError, writeRunFile } from './run-file.ts';
import { SAMPLES_FILE } from './sample-files.ts';

const RUN: LoadRunFile = {
  schemaVersion: 2,
  suite: { name: 'petstore-conformance', version: '0' },
  target: { baseUrl: 'http://127.0.0.1:9/v1', plan: 'free' },
  profile: 'smoke',
  inputs: { limits: limitsOf(loadPlans(), 'free'), fleet: 1, minutes: 1 },
  latencyThresholdMs: null,
  startedAt: '2026-11-22T10:00:00.000Z',
  environment: { k6: '2', node: '20', platform: 'any', cpus: 1 },
  end: null,
};
const END = {
  how: 'finished',
  because: 'Every planned request was sent.',
  finishedAt: '2026-11-22T10:01:00.000Z',
} as const;

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-judge-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('judging a load run from its folder', () => {
  test('a run without an end was interrupted', async (t) => {
    const folder = folderWith(t, { [SAMPLES_FILE]: '' });
    writeRunFile(folder, RUN);
    const { record } = await judgeParts([folder]);
    assert.equal(record.verdict, 'inconclusive');
    assert.match(record.ended.because, /^The program was killed before the run ended/);
    assert.equal(record.finishedAt, RUN.startedAt);
  });

  test('samples that were damaged after the run are not a finished run', async (t) => {
    const folder = folderWith(t, { [SAMPLES_FILE]: '{"cut' });
    writeRunFile(folder, { ...RUN, end: END });
    const { record } = await judgeParts([folder]);
    assert.equal(record.ended.how, 'failed');
    assert.match(
      record.ended.because,
      /^The samples are not complete: all samples are missing; .*samples\.ndjson is cut in its last line/,
    );
    assert.equal(record.finishedAt, END.finishedAt);
  });

  const without = (field: keyof LoadRunFile): string => JSON.stringify({ ...RUN, [field]: undefined });
  const rows: readonly (readonly [
    name: string,
    files: Readonly<Record<string, string>>,
    sentence: RegExp,
  ])[] = [
    [
      'no file of the run',
      {},
      /has no load-run\.json, which says what the run was to send\. Name the folder/,
    ],
    ['text that is not JSON', { [RUN_FILE]: '{' }, /load-run\.json cannot be read: it is not JSON\./],
    ['no profile', { [RUN_FILE]: without('profile') }, /does not describe a load run of this version\.$/],
    ['no limits', { [RUN_FILE]: without('inputs') }, /does not describe a load run of this version\.$/],
    ['no samples', { [RUN_FILE]: JSON.stringify(RUN) }, /^There are no samples in /],
  ];
  for (const [name, files, sentence] of rows) {
    test(`${name}: one sentence`, async (t) => {
      await assert.rejects(judgeParts([folderWith(t, files)]), (error) => {
        assert.ok(error instanceof RunFolderError);
        assert.match(error.message, sentence);
        return true;
      });
    });
  }
});
