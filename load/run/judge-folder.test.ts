import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { JUDGING } from '../../evaluation/testing/load/runs.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { LoadRunFile } from '../model/run-file.ts';
import { judgeParts } from './judge-folder.ts';
import { RUN_FILE, RunFolderError, recordedIn, writeRunFile } from './run-file.ts';
import { SAMPLES_FILE } from './samples.ts';

const RUN: LoadRunFile = {
  schemaVersion: 2,
  ...JUDGING,
  target: { baseUrl: 'http://127.0.0.1:9/v1', plan: 'free' },
  profile: 'smoke',
  inputs: { limits: limitsOf(loadPlans(), 'free'), fleet: 1, minutes: 1 },
  latencyThresholdMs: null,
  startedAt: '2026-11-22T10:00:00.000Z',
  environment: { k6: '2', node: '20', platform: 'linux x64', cpus: 1 },
  end: null,
};
/** FIPS 180-4, the example of one block. */
const SHA256_OF_ABC = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

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
    const { record } = await judgeParts([folder], JUDGING);
    assert.equal(record.outcome, 'incomplete');
    assert.match(record.ended.because, /^The program was killed before the run ended/);
    assert.equal(record.finishedAt, RUN.startedAt);
  });

  test('samples that were damaged after the run are not a finished run', async (t) => {
    const folder = folderWith(t, { [SAMPLES_FILE]: '{"cut' });
    writeRunFile(folder, { ...RUN, end: END });
    const { record } = await judgeParts([folder], JUDGING);
    assert.equal(record.ended.how, 'failed');
    assert.match(
      record.ended.because,
      /^The samples are not complete: all samples are missing; .*samples\.ndjson is cut in its last line/,
    );
    assert.equal(record.finishedAt, END.finishedAt);
  });

  test('the report names the files that were judged, by their digests', async (t) => {
    const folder = folderWith(t, { [SAMPLES_FILE]: 'abc' });
    writeRunFile(folder, { ...RUN, end: END });
    const { record } = await judgeParts([folder], JUDGING);
    assert.deepEqual(record.spec, JUDGING.spec);
    assert.equal(record.recorded?.run.name, RUN_FILE);
    assert.deepEqual(record.recorded?.samples, [{ name: SAMPLES_FILE, digest: SHA256_OF_ABC }]);
    assert.deepEqual(recordedIn(folder), record.recorded);
  });

  test('the report says that another version judges than the one that recorded', async (t) => {
    const folder = folderWith(t, { [SAMPLES_FILE]: '' });
    writeRunFile(folder, { ...RUN, end: END });
    const own = (await judgeParts([folder], JUDGING)).record.remarks;
    assert.deepEqual(own, []);
    const { remarks } = (
      await judgeParts([folder], {
        suite: { ...JUDGING.suite, version: '1' },
        spec: { ...JUDGING.spec, digest: 'sha256:other' },
      })
    ).record;
    assert.match(
      remarks[0] ?? '',
      /^The run was recorded by version 0 of the suite and judged by version 1\./,
    );
    assert.match(remarks[1] ?? '', /another version of the specification .*sha256:other/);
    assert.equal(remarks.length, 2);
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
    ['text that is not JSON', { [RUN_FILE]: '{' }, /load-run\.json is not JSON, or/],
    [
      'no profile',
      { [RUN_FILE]: without('profile') },
      /does not describe a load run of this version: profile must be the id of a profile/,
    ],
    [
      'no limits',
      { [RUN_FILE]: without('inputs') },
      /does not describe a load run of this version: inputs must be an object\.$/,
    ],
    ['no samples', { [RUN_FILE]: JSON.stringify(RUN) }, /^There are no samples in /],
  ];
  for (const [name, files, sentence] of rows) {
    test(`${name}: one sentence`, async (t) => {
      await assert.rejects(judgeParts([folderWith(t, files)], JUDGING), (error) => {
        assert.ok(error instanceof RunFolderError);
        assert.match(error.message, sentence);
        return true;
      });
    });
  }
});
