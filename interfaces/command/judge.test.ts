import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, temporaryFolder } from '../../evaluation/testing/cli/command.ts';

test('judge writes the same report as certify, and names the damaged line of a journal', async (t) => {
  const cwd = temporaryFolder(t);
  const certified = await run(t, ['certify', '--fault', 'missing-name-422', '--out', 'run'], { cwd });
  assert.equal(certified.code, 1, certified.err);
  const report = (folder: string) => readFileSync(join(cwd, folder, 'report.json'), 'utf8');
  const first = report('run');

  const judged = await run(t, ['judge', 'run/journal.ndjson', '--out', 'again'], { cwd });
  assert.equal(judged.code, 1, judged.err);
  assert.match(judged.out, /✗ CREATE-4 fail/);
  assert.equal(judged.err, '');
  assert.equal(report('again'), first);
  assert.deepEqual(readdirSync(join(cwd, 'again')), readdirSync(join(cwd, 'run')));

  const lineEndsOfWindows = readFileSync(join(cwd, 'run', 'journal.ndjson'), 'utf8').replaceAll('\n', '\r\n');
  writeFileSync(join(cwd, 'windows.ndjson'), lineEndsOfWindows);
  assert.equal((await run(t, ['judge', 'windows.ndjson', '--out', 'windows'], { cwd })).code, 1);
  const withoutDigest = (text: string) => ({ ...JSON.parse(text), journal: undefined });
  assert.deepEqual(withoutDigest(report('windows')), withoutDigest(first));

  writeFileSync(join(cwd, 'run', 'report.json'), 'lost');
  assert.equal((await run(t, ['judge', 'run/journal.ndjson'], { cwd })).code, 1);
  assert.equal(report('run'), first, 'without --out the reports go where the journal lies');

  const lines = readFileSync(join(cwd, 'run', 'journal.ndjson'), 'utf8').split('\n').length;
  appendFileSync(join(cwd, 'run', 'journal.ndjson'), '{"kind":"exchange","n":\n');
  const damaged = await run(t, ['judge', 'run/journal.ndjson', '--out', 'damaged'], { cwd });
  assert.equal(damaged.code, 1, damaged.err);
  assert.ok(damaged.out.includes(`Line ${lines} of run/journal.ndjson is damaged`), damaged.out);
});

test('judge keeps reports of another judgement, and replaces none by the same', async (t) => {
  const cwd = temporaryFolder(t);
  const args = ['certify', '--quick', '--fault', 'no-challenge', '--out', 'run'];
  assert.equal((await run(t, args, { cwd })).code, 0);
  const strictOf = (folder: string) =>
    JSON.parse(readFileSync(join(cwd, folder, 'report.json'), 'utf8')).strict;
  const judge = ['judge', 'run/journal.ndjson'];

  const strict = await run(t, [...judge, '--strict'], { cwd });
  assert.equal(strict.code, 1, strict.out);
  const [, earlier = ''] = /were moved to (run\/earlier-\S+\/) \(report\.json, /.exec(strict.err) ?? [];
  assert.deepEqual([strictOf(earlier), strictOf('run')], [false, true]);
  const again = await run(t, [...judge, '--strict'], { cwd });
  assert.equal(again.err, '', 'the same reports replace themselves');

  const other = await run(t, ['certify', '--only', 'VER-1', '--out', 'other'], { cwd });
  assert.equal(other.code, 0, other.out);
  const over = await run(t, ['judge', 'other/journal.ndjson', '--out', 'run'], { cwd });
  assert.match(over.err, /moved to run\/earlier-.*journal\.ndjson/, 'a journal of another run is kept, too');
});

test('--format json prints the record and nothing else on standard output', async (t) => {
  const cwd = temporaryFolder(t);
  const certified = await run(t, ['certify', '--quick', '--format', 'json', '--out', 'run'], { cwd });
  assert.equal(certified.code, 0, certified.err);
  assert.equal(certified.out, readFileSync(join(cwd, 'run', 'report.json'), 'utf8'));
  assert.match(certified.err, /With the key +18 requests/);
  const judged = await run(t, ['judge', 'run/journal.ndjson', '--format', 'json'], { cwd });
  assert.equal(judged.out, certified.out);
  assert.equal(judged.err, '');
});
