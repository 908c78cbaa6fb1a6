import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { virtualLoad } from '../../evaluation/load/virtual-load.ts';
import { JUDGING, runFileOf } from '../../evaluation/testing/load/runs.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';
import { UserError } from '../../kernel/basics/errors.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { LoadRunFile } from '../model/run-file.ts';
import { judgeParts } from './judge-folder.ts';
import { partsLeftIn } from './parts.ts';
import { RUN_FILE, writeRunFile } from './run-file.ts';
import { SAMPLES_FILE } from './samples.ts';

const limits = limitsOf(loadPlans(), 'free');
const RUN: LoadRunFile = {
  ...runFileOf({ profile: 'smoke', inputs: { limits, fleet: 1, minutes: 1 } }),
  spec: JUDGING.spec,
};
/** FIPS 180-4, the example of one block. */
const SHA256_OF_ABC = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

const END = {
  how: 'finished',
  because: 'Every planned request was sent.',
  finishedAt: '2026-11-22T10:01:00.000Z',
} as const;

/** A folder with these files, by name, and that of a run. */
function folderWith(
  t: TestContext,
  files: Readonly<Record<string, string | Buffer>>,
  run?: LoadRunFile,
): string {
  const folder = temporaryFolder(t);
  if (run !== undefined) writeRunFile(folder, run);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const judged = async (folder: string): Promise<LoadRecord> => (await judgeParts([folder], JUDGING)).record;

describe('judging a load run from its folder', () => {
  test('the report names the files that were judged, by their digests', async (t) => {
    const folder = folderWith(t, { [SAMPLES_FILE]: 'abc' }, { ...RUN, end: END });
    const record = await judged(folder);
    assert.deepEqual(record.spec, JUDGING.spec);
    assert.equal(record.recorded?.run.name, RUN_FILE);
    assert.deepEqual(record.recorded?.samples, [{ name: SAMPLES_FILE, digest: SHA256_OF_ABC }]);
  });

  test('a run that has just ended has no other files, which may be those of other runs', async (t) => {
    const others = { 'journal.ndjson': '{}\n', 'run-1/samples.ndjson': '' };
    const folder = folderWith(t, { [SAMPLES_FILE]: 'abc', ...others }, { ...RUN, end: END });
    writeFileSync(join(folder, 'run-1', RUN_FILE), JSON.stringify({ ...RUN, profile: 'under' }));
    const { record } = await judgeParts([folder], JUDGING, partsLeftIn(folder));
    assert.deepEqual(record.recorded?.samples, [{ name: SAMPLES_FILE, digest: SHA256_OF_ABC }]);
  });

  test('without space to sort the samples, one sentence says where they are and how to judge them', async (t) => {
    const line = `{"key":"key",${' '.repeat(1 << 19)}}\n`;
    const folder = folderWith(t, { [SAMPLES_FILE]: line.repeat(9) }, { ...RUN, end: END });
    const { TMPDIR } = process.env;
    t.after(() => {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
    });
    process.env['TMPDIR'] = join(folder, 'missing');
    await assert.rejects(judged(folder), (error) => {
      assert.ok(error instanceof UserError);
      assert.equal(
        error.message,
        `The samples are kept in ${folder}, but cannot be sorted in ${folder}/missing: there is no such file or folder; free disk space there, or name another folder in TMPDIR, and judge them with: npx --offline petstore-conformance judge ${folder}`,
      );
      return true;
    });
  });

  test('nothing else is read, whatever the folder of the command holds', async (t) => {
    const folder = folderWith(t, { [SAMPLES_FILE]: '' }, { ...RUN, end: END });
    const before = await judged(folder);
    const here = process.cwd();
    t.after(() => process.chdir(here));
    process.chdir(folderWith(t, { '0/report.json': '{}', '1': 'key 0 {}\n' }));
    assert.deepEqual(await judged(folder), before);
  });

  test('the report says that another version judges than the one that recorded', async (t) => {
    const folder = folderWith(t, { [SAMPLES_FILE]: '' }, { ...RUN, end: END });
    assert.deepEqual((await judged(folder)).remarks, []);
    const other = {
      suite: { ...JUDGING.suite, version: '1' },
      spec: { ...JUDGING.spec, digest: 'sha256:other' },
    };
    const { remarks } = (await judgeParts([folder], other)).record;
    assert.equal(remarks.length, 1);
    assert.match(
      remarks[0] ?? '',
      /^The run was recorded by version 0 of the suite, with .* judged by version 1 of .* sha256:other\./,
    );
  });
});

const [RUNNERS, FLEET, MINUTES] = [3, 6, 3];
const { record: whole, trace } = await virtualLoad({ profile: 'soak', fleet: FLEET, minutes: MINUTES });

/** The lines of the runner with this number, from 1, in the order of sending. */
const linesOf = (runner: number): readonly string[] =>
  [...trace.samples, ...trace.events]
    .filter(({ key }) => (Number(key.slice('fleet-'.length)) - 1) % RUNNERS === runner - 1)
    .map((one) => JSON.stringify({ ...{ key: one.key }, ...one }));

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

const SOAK = runFileOf({
  profile: 'soak',
  inputs: { limits, fleet: FLEET, minutes: MINUTES },
  runners: RUNNERS,
});

/** The samples of all three, one of them compressed. */
const complete = {
  'pod-1/samples.ndjson': text(linesOf(1)),
  'pod-2/samples.ndjson.gz': gzipSync(text(linesOf(2))),
  'pod-3/samples.ndjson': text(linesOf(3)),
};

const [first = '', , ...others] = linesOf(1);
const { 'pod-2/samples.ndjson.gz': late, ...arrived } = complete;

/** What a folder holds. */
interface Folder {
  readonly run?: LoadRunFile;
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

const without = (field: keyof LoadRunFile): Folder => ({
  files: { [RUN_FILE]: JSON.stringify({ ...RUN, [field]: undefined }) },
});
const failed = { ...END, how: 'failed', because: 'the k6 script failed.' } as const;

/** The folder of all three, with these files besides or in their place. */
const ofThree = (files: Folder['files']): Folder => ({ run: SOAK, files: { ...complete, ...files } });

/** Folders of runs, and what is special about each: the page has what is judged of them. */
const folders: Readonly<Record<string, Folder>> = {
  'no file of the run': {},
  'text that is not JSON': { files: { [RUN_FILE]: '{' } },
  'no profile': without('profile'),
  'no limits': without('inputs'),
  'no samples': { run: RUN },
  'no end': { run: RUN, files: { [SAMPLES_FILE]: '' } },
  'failed before its first request': { run: { ...RUN, end: failed } },
  'samples that were damaged after the run': {
    run: { ...RUN, end: END },
    files: { [SAMPLES_FILE]: '{"cut' },
  },
  'three runners': ofThree({}),
  'three runners, one part twice': ofThree({ 'again.ndjson': complete['pod-1/samples.ndjson'] }),
  'three runners, after an earlier run whose files were moved': ofThree({
    'earlier-2026-11-22T20-45-52Z/load-run.json': '{}',
    'earlier-2026-11-22T20-45-52Z/samples.ndjson': text(linesOf(1)),
  }),
  'three runners, one part missing': { run: SOAK, files: arrived },
  'three runners, a part that came late': { run: SOAK, files: { ...arrived, 'late.ndjson.gz': late } },
  'three runners, one request missing and another one twice': ofThree({
    'pod-1/samples.ndjson': text([first, first, ...others]),
  }),
  'three runners, a part that was cut': ofThree({
    'pod-3/samples.ndjson': text(linesOf(3)).slice(0, -100),
  }),
  'three runners, a compressed part that was cut': ofThree({
    'pod-2/samples.ndjson.gz': late.subarray(0, -1),
  }),
  'three runners, of which one alone arrived, with a failure': {
    run: SOAK,
    files: {
      'pod-1/samples.ndjson': text(linesOf(1).map((line) => line.replace('"limit":"60"', '"limit":"61"'))),
    },
  },
  'three runners, and another run of the same keys': ofThree({
    'other.ndjson': text(linesOf(1).map((line) => line.replace(/"sent":\d/, '"sent":2'))),
  }),
  'three runners, and a key of another run': ofThree({
    'strange.ndjson': `${JSON.stringify({ ...JSON.parse(first), key: 'fleet-9' })}\noops\n`,
  }),
  'three runners, and a line that is no record': ofThree({
    'damaged.ndjson': '{"key":"fleet-1","n":1}\n',
  }),
  'three runners, with the file of the run twice': ofThree({
    [`pod-1/${RUN_FILE}`]: JSON.stringify(SOAK),
  }),
  'three runners, with the file of another run': ofThree({
    [`pod-1/${RUN_FILE}`]: JSON.stringify({ ...SOAK, inputs: RUN.inputs }),
  }),
};

/** What is judged of a folder, or the sentence about it. */
async function judgedText(folder: string): Promise<string> {
  const record = await judged(folder).catch((error: unknown) => {
    assert.ok(error instanceof UserError);
    return error.message;
  });
  if (typeof record === 'string') return record;
  const { outcome, ended, requirements, finishedAt } = record;
  // What arrived in full is judged as the run itself.
  if (outcome === 'conforms')
    for (const field of ['requirements', 'keys', 'latencyMs', 'scheduleDelayMs', 'phases'] as const)
      assert.deepEqual(record[field], whole[field], field);
  const counts = (['pass', 'fail', 'inconclusive'] as const).map(
    (verdict) => `${requirements.filter((one) => one.verdict === verdict).length} ${verdict}`,
  );
  return `${outcome}, ${ended.how} at ${finishedAt}, ${counts.join(', ')}\n  ${ended.because}`;
}

test('folders of runs are judged as they are known to be, or named in one sentence', async (t) => {
  const page: string[] = [];
  for (const [name, { run, files = {} }] of Object.entries(folders)) {
    const folder = folderWith(t, files, run);
    page.push(`${name}\n  ${(await judgedText(folder)).replaceAll(folder, 'FOLDER')}\n`);
  }
  assert.equal(whole.outcome, 'conforms', JSON.stringify(whole.requirements));
  assertPage('load/run/judged-folders.txt', page.join(''));
});
