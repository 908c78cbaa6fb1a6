import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import type { Trace } from '../../load/model/sample.ts';
import { judgeParts } from '../../load/run/judge-folder.ts';
import { RUN_FILE, writeRunFile } from '../../load/run/run-file.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { JUDGING } from '../testing/load/runs.ts';
import { virtualLoad } from './virtual-load.ts';

const RUNNERS = 3;
const FLEET = 6;
const MINUTES = 3;
const { record: whole, trace } = await virtualLoad({ profile: 'soak', fleet: FLEET, minutes: MINUTES });

/** The lines of the runner with this number, from 1, in the order of sending. */
function linesOf(runner: number, { samples, events }: Trace = trace): readonly string[] {
  const isOwn = ({ key }: { readonly key: string }): boolean =>
    (Number(key.slice('fleet-'.length)) - 1) % RUNNERS === runner - 1;
  return [...samples, ...events].filter(isOwn).map((one) => JSON.stringify({ ...{ key: one.key }, ...one }));
}

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** A folder with the file of the run and these parts, by name. */
function folderWith(t: TestContext, parts: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-parts-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeRunFile(folder, {
    schemaVersion: 2,
    suite: whole.suite,
    target: whole.target,
    profile: 'soak',
    inputs: { limits: limitsOf(loadPlans(), 'free'), fleet: FLEET, minutes: MINUTES },
    latencyThresholdMs: null,
    startedAt: whole.startedAt,
    environment: whole.environment,
    runners: RUNNERS,
    end: null,
  });
  for (const [name, content] of Object.entries(parts)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const complete = {
  'pod-1/samples.ndjson': text(linesOf(1)),
  'pod-2/samples.ndjson.gz': gzipSync(text(linesOf(2))),
  'pod-3/samples.ndjson': text(linesOf(3)),
};

const judged = async (folder: string): Promise<LoadRecord> => (await judgeParts([folder], JUDGING)).record;

describe('the parts of a run of three runners', () => {
  test('have the verdict, the findings and the figures of the whole', async (t) => {
    const record = await judged(folderWith(t, complete));
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
      folderWith(t, { ...complete, 'again.ndjson': complete['pod-1/samples.ndjson'] }),
    );
    assert.deepEqual(record.requirements, whole.requirements);
    assert.match(
      record.ended.because,
      new RegExp(` ${linesOf(1).length} records arrived more than once and count once\\.$`),
    );
  });

  test('do not include what was moved aside of an earlier run', async (t) => {
    const folder = folderWith(t, complete);
    const earlier = join(folder, 'earlier-2026-11-22T20-45-52Z');
    mkdirSync(earlier);
    writeFileSync(join(earlier, 'load-run.json'), '{}');
    writeFileSync(join(earlier, 'samples.ndjson'), text(linesOf(1)));
    assert.deepEqual((await judged(folder)).requirements, whole.requirements);
  });

  test('a missing part is named, nothing passes, and it can arrive late', async (t) => {
    const { 'pod-2/samples.ndjson.gz': late, ...arrived } = complete;
    const folder = folderWith(t, arrived);
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
      const { ended, requirements: findings } = await judged(folderWith(t, parts));
      assert.equal(ended.how, 'failed');
      assert.match(
        ended.because,
        new RegExp(`the samples of runner ${runner} of 3 are cut: \\d keys? of 2 have no end`),
      );
      assert.match(ended.because, problem);
      assert.ok(findings.every(({ verdict }) => verdict === 'inconclusive'));
    }
  });

  test('a failure stays one, whatever is missing', async (t) => {
    const spoiled = linesOf(1).map((line) => line.replace('"limit":"60"', '"limit":"61"'));
    const record = await judged(folderWith(t, { 'pod-1/samples.ndjson': text(spoiled) }));
    assert.equal(record.outcome, 'violates');
    assert.match(
      record.ended.because,
      /all samples of runner 2 of 3 are missing; all samples of runner 3 of 3/,
    );
  });

  test('of different runs are no run', async (t) => {
    const other = linesOf(1).map((line) => line.replace(/"sent":\d/, '"sent":2'));
    const record = await judged(folderWith(t, { ...complete, 'other.ndjson': text(other) }));
    assert.match(
      record.ended.because,
      /request 1 of key fleet-[14] was recorded with two outcomes: the parts belong to different runs/,
    );
    const strange = JSON.stringify({ ...JSON.parse(linesOf(1)[0] ?? ''), key: 'fleet-9' });
    const { ended } = await judged(folderWith(t, { ...complete, 'strange.ndjson': `${strange}\noops\n` }));
    assert.match(
      ended.because,
      /strange\.ndjson holds 1 line of another kind; the parts hold 1 key of another run/,
    );
  });

  test('two files of runs must describe the same run', async (t) => {
    const folder = folderWith(t, complete);
    const run = readFileSync(join(folder, RUN_FILE), 'utf8');
    writeFileSync(join(folder, 'pod-1', RUN_FILE), run);
    assert.equal((await judged(folder)).outcome, 'conforms');
    writeFileSync(join(folder, 'pod-1', RUN_FILE), run.replace('"fleet": 6', '"fleet": 5'));
    await assert.rejects(judged(folder), /describe different runs: judge one run at a time\.$/);
  });
});
