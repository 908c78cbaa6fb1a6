import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { virtualLoad } from '../../evaluation/load/virtual-load.ts';
import { JUDGING, runFileOf } from '../../evaluation/testing/load/runs.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
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
  test('a run without an end was interrupted', async (t) => {
    const folder = folderWith(t, { [SAMPLES_FILE]: '' }, RUN);
    const record = await judged(folder);
    assert.equal(record.outcome, 'incomplete');
    assert.match(record.ended.because, /^The program was killed before the run ended/);
    assert.equal(record.finishedAt, RUN.startedAt);
  });

  test('a run that failed before its first request has a record, in which nothing passes', async (t) => {
    const failed = { ...END, how: 'failed', because: 'the k6 script failed.' } as const;
    const { ended, requirements } = await judged(folderWith(t, {}, { ...RUN, end: failed }));
    assert.deepEqual(ended, { how: 'failed', because: failed.because });
    assert.ok(requirements.every(({ verdict }) => verdict === 'inconclusive'));
  });

  test('samples that were damaged after the run are not a finished run', async (t) => {
    const folder = folderWith(t, { [SAMPLES_FILE]: '{"cut' }, { ...RUN, end: END });
    const record = await judged(folder);
    assert.equal(record.ended.how, 'failed');
    assert.match(
      record.ended.because,
      /^The samples are not complete: all samples are missing; .*samples\.ndjson is cut in its last line/,
    );
    assert.equal(record.finishedAt, END.finishedAt);
  });

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
    const { remarks } = (
      await judgeParts([folder], {
        suite: { ...JUDGING.suite, version: '1' },
        spec: { ...JUDGING.spec, digest: 'sha256:other' },
      })
    ).record;
    assert.equal(remarks.length, 1);
    assert.match(
      remarks[0] ?? '',
      /^The run was recorded by version 0 of the suite, with .* judged by version 1 of .* sha256:other\./,
    );
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
      await assert.rejects(judged(folderWith(t, files)), (error) => {
        assert.ok(error instanceof UserError);
        assert.match(error.message, sentence);
        return true;
      });
    });
  }
});

const [RUNNERS, FLEET, MINUTES] = [3, 6, 3];
const { record: whole, trace } = await virtualLoad({ profile: 'soak', fleet: FLEET, minutes: MINUTES });

/** The lines of the runner with this number, from 1, in the order of sending. */
const linesOf = (runner: number): readonly string[] =>
  [...trace.samples, ...trace.events]
    .filter(({ key }) => (Number(key.slice('fleet-'.length)) - 1) % RUNNERS === runner - 1)
    .map((one) => JSON.stringify({ ...{ key: one.key }, ...one }));

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** A folder of the run of several runners with these parts, by name. */
const folderOfSoak = (t: TestContext, parts: Readonly<Record<string, string | Buffer>>): string => {
  const inputs = { limits, fleet: FLEET, minutes: MINUTES };
  return folderWith(t, parts, runFileOf({ profile: 'soak', inputs, runners: RUNNERS }));
};

const complete = {
  'pod-1/samples.ndjson': text(linesOf(1)),
  'pod-2/samples.ndjson.gz': gzipSync(text(linesOf(2))),
  'pod-3/samples.ndjson': text(linesOf(3)),
};

describe('the parts of a run of three runners', () => {
  test('have the verdict, the findings and the figures of the whole', async (t) => {
    const record = await judged(folderOfSoak(t, complete));
    assert.equal(whole.outcome, 'conforms', JSON.stringify(whole.requirements));
    for (const field of [
      'outcome',
      'requirements',
      'keys',
      'latencyMs',
      'scheduleDelayMs',
      'phases',
    ] as const)
      assert.deepEqual(record[field], whole[field], field);
    assert.match(
      record.ended.because,
      /^Every planned request was sent\. The 3 runners began within \d+\.\d s by their own clocks\.$/,
    );
  });

  test('count once where they arrive twice, also by another name', async (t) => {
    const record = await judged(
      folderOfSoak(t, { ...complete, 'again.ndjson': complete['pod-1/samples.ndjson'] }),
    );
    assert.deepEqual(record.requirements, whole.requirements);
    assert.match(
      record.ended.because,
      new RegExp(` ${linesOf(1).length} records arrived more than once and count once\\.$`),
    );
  });

  test('do not include what was moved aside of an earlier run', async (t) => {
    const folder = folderOfSoak(t, complete);
    const earlier = join(folder, 'earlier-2026-11-22T20-45-52Z');
    mkdirSync(earlier);
    writeFileSync(join(earlier, 'load-run.json'), '{}');
    writeFileSync(join(earlier, 'samples.ndjson'), text(linesOf(1)));
    assert.deepEqual((await judged(folder)).requirements, whole.requirements);
  });

  test('a missing part is named, nothing passes, and it can arrive late', async (t) => {
    const { 'pod-2/samples.ndjson.gz': late, ...arrived } = complete;
    const folder = folderOfSoak(t, arrived);
    const record = await judged(folder);
    assert.equal(record.outcome, 'incomplete');
    assert.ok(record.requirements.every(({ verdict }) => verdict === 'inconclusive'));
    assert.equal(
      record.ended.because,
      'The samples are not complete: all samples of runner 2 of 3 are missing.',
    );
    writeFileSync(join(folder, 'late.ndjson.gz'), late);
    assert.equal((await judged(folder)).outcome, 'conforms');
  });

  test('a request that is missing is counted, also where another one was recorded twice', async (t) => {
    const [first = '', second = '', ...rest] = linesOf(1);
    const folder = folderOfSoak(t, { ...complete, 'pod-1/samples.ndjson': text([first, first, ...rest]) });
    const { ended, requirements: findings } = await judged(folder);
    const { key } = JSON.parse(second);
    const planned = trace.samples.filter((one) => one.key === key).length;
    assert.equal(
      ended.because,
      `The samples are not complete: the samples of runner 1 of 3 are cut for 1 of 2 keys: only ${planned - 1} of the ${planned} requests of key ${key} were recorded.`,
    );
    assert.ok(findings.every(({ verdict }) => verdict === 'inconclusive'));
  });

  test('a cut part is named, compressed or not', async (t) => {
    const plain = Buffer.from(complete['pod-3/samples.ndjson']);
    const compressed = complete['pod-2/samples.ndjson.gz'];
    const rows = [
      [
        { ...complete, 'pod-3/samples.ndjson': plain.subarray(0, plain.length / 2) },
        3,
        /is cut in its last line/,
      ],
      [
        { ...complete, 'pod-2/samples.ndjson.gz': compressed.subarray(0, compressed.length / 2) },
        2,
        /cannot be read to its end: unexpected end of file/,
      ],
    ] as const;
    for (const [parts, runner, problem] of rows) {
      const { ended, requirements: findings } = await judged(folderOfSoak(t, parts));
      assert.equal(ended.how, 'failed');
      assert.match(
        ended.because,
        new RegExp(
          `the samples of runner ${runner} of 3 are cut for \\d of 2 keys: the scenario of key fleet-\\d recorded no end \\(\\d+ requests? recorded\\)`,
        ),
      );
      assert.match(ended.because, problem);
      assert.ok(findings.every(({ verdict }) => verdict === 'inconclusive'));
    }
  });

  test('a failure stays one, whatever is missing', async (t) => {
    const spoiled = linesOf(1).map((line) => line.replace('"limit":"60"', '"limit":"61"'));
    const record = await judged(folderOfSoak(t, { 'pod-1/samples.ndjson': text(spoiled) }));
    assert.equal(record.outcome, 'violates');
    assert.match(
      record.ended.because,
      /all samples of runner 2 of 3 are missing; all samples of runner 3 of 3/,
    );
  });

  test('of different runs are no run', async (t) => {
    const other = linesOf(1).map((line) => line.replace(/"sent":\d/, '"sent":2'));
    const record = await judged(folderOfSoak(t, { ...complete, 'other.ndjson': text(other) }));
    assert.match(
      record.ended.because,
      /request 1 of key fleet-[14] was recorded with two outcomes: the parts belong to different runs/,
    );
    const strange = JSON.stringify({ ...JSON.parse(linesOf(1)[0] ?? ''), key: 'fleet-9' });
    const { ended } = await judged(folderOfSoak(t, { ...complete, 'strange.ndjson': `${strange}\noops\n` }));
    assert.match(
      ended.because,
      /strange\.ndjson holds 1 line of another kind; the parts hold 1 key of another run/,
    );
  });

  test('with a line that is no record are not complete, even where every request is there', async (t) => {
    const folder = folderOfSoak(t, { ...complete, 'damaged.ndjson': '{"key":"fleet-1","n":1}\n' });
    const { ended, outcome } = await judged(folder);
    assert.equal(outcome, 'incomplete');
    assert.match(ended.because, /^The samples are not complete: 1 line of key fleet-1 cannot be read\.$/);
  });

  test('two files of runs must describe the same run', async (t) => {
    const folder = folderOfSoak(t, complete);
    const run = readFileSync(join(folder, RUN_FILE), 'utf8');
    writeFileSync(join(folder, 'pod-1', RUN_FILE), run);
    assert.equal((await judged(folder)).outcome, 'conforms');
    writeFileSync(join(folder, 'pod-1', RUN_FILE), run.replace('"fleet": 6', '"fleet": 5'));
    await assert.rejects(judged(folder), /describe different runs: judge one run at a time\.$/);
  });
});
