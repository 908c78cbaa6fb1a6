import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { commandIn } from '../../../evaluation/testing/cli/command.ts';
import { loadFindingOf, loadRun } from '../../../evaluation/testing/reports/load-runs.ts';
import { conforming, violating } from '../../../evaluation/testing/reports/records.ts';

const { record } = loadRun('http://127.0.0.1/v1', 'conforms');

/** The command beside load runs. */
function besideRuns(t: TestContext) {
  const here = commandIn(t);
  const run = (name: string, more: object = {}) => here.write(`${name}/report.json`, { ...record, ...more });
  return {
    ...here,
    run,
    /** A set of repetitions whose latencies lie closely around this median; in turn with another one. */
    set: (name: string, p50: number, turn: 0 | 1) => {
      for (let i = 0; i < 6; i += 1) {
        const median = p50 + i / 10;
        const latencyMs = { count: 61, min: 5, p50: median, p90: 2 * median, p99: 130, p999: 130, max: 130 };
        const startedAt = new Date(60_000 * (2 * i + turn)).toISOString();
        run(`${name}/run-${i + 1}`, { latencyMs, startedAt });
      }
    },
  };
}

test('compare prints what is worse in a set, as text and as JSON, and sets the exit code', async (t) => {
  const { exits, set } = besideRuns(t);
  set('before', 35, 0);
  set('same', 35, 1);
  set('slower', 70, 1);

  const same = await exits(0, 'compare before same');
  assert.equal(same.err, '');
  assert.match(same.out, /FIRST \(6 RUNS\)/);
  assert.match(
    same.out,
    /✓ No regression: no figure is worse by more than 10 % and what noise explains\.\n$/,
  );

  const worse = await exits(1, 'compare before slower');
  assert.match(worse.out, /latency p50 .*35\.25 ms \(35\.00 ms to 35\.50 ms\) .*70\.25 ms .* worse\n/);
  assert.match(worse.out, /✗ Regression: latency p50, latency p90\. .*at most 1 of 100 comparisons\.\n$/);

  const tolerant = await exits(0, 'compare before slower --tolerance 150% --format json');
  assert.equal(JSON.parse(tolerant.out).outcome, 'not worse');

  const few = await exits(3, 'compare before slower/run-1,slower/run-2');
  assert.match(few.out, /SECOND \(2 RUNS\)[\s\S]*not recorded in turn[\s\S]*\? Not decided: latency p50/);
});

test('compare shows how two single runs differ, and lets only verdicts decide', async (t) => {
  const { exits, run } = besideRuns(t);
  run('before');
  run('slower', { latencyMs: { count: 61, min: 5, p50: 70, p90: 120, p99: 130, p999: 130, max: 130 } });
  run('failing', { requirements: record.requirements.map(({ id }) => loadFindingOf(id, 'fail', 'x')) });
  run('elsewhere', { environment: { ...record.environment, cpus: 64 } });
  run('older', { suite: { ...record.suite, version: '0.0.9' } });

  const noisy = await exits(0, 'compare before slower');
  assert.equal(noisy.err, '');
  assert.match(noisy.out, /latency p50 {2,}35\.00 ms {2,}70\.00 ms {2,}differs: this may be noise\n/);
  assert.match(
    noisy.out,
    /cannot tell a change of latency or counts from noise[\s\S]*✓ No verdict is worse\.\n$/,
  );

  const failed = await exits(1, 'compare before failing');
  assert.match(failed.out, /✗ Regression: SENT, NO-5XX, RATE-LIMITED\.\n$/);

  const other = await exits(3, 'compare before elsewhere');
  assert.match(other.out, /· The number of CPUs differs: 2 and 64\./);
  const older = await exits(0, 'compare older before');
  assert.match(older.out, /· The suite versions differ: 0\.0\.9 and /);
});

/** The command beside the reports of two runs: `good` and `bad`. */
function besideReports(t: TestContext) {
  const here = commandIn(t);
  here.write('good/report.json', conforming());
  here.write('bad/report.json', violating());
  return here;
}

test('compare gates on what became worse, and prints it for people and for programs', async (t) => {
  const here = besideReports(t);
  const worse = await here.exits(1, 'compare good bad/report.json');
  assert.match(worse.out, /CREATE-4 +MUST +✓ pass +✗ fail +worse /);
  assert.match(worse.out, /✗ The second report is worse: 3 worse, 2 lost, \d+ the same\.\n$/);
  const better = await here.exits(0, 'compare bad good --format json');
  assert.equal(JSON.parse(better.out).outcome, 'not worse');
  const markdown = await here.run('compare bad good --format markdown');
  assert.match(markdown.out, /^\*\*✓ The second report is not worse: 2 new, 3 better/);
});

test('matrix puts reports side by side, and never replaces a file', async (t) => {
  const here = besideReports(t);
  const table = await here.exits(0, 'matrix v1=good v2=bad');
  assert.match(table.out, /^\| \| v1 \| v2 \|\n/);
  await here.exits(0, 'matrix good bad --format html --out table.html');
  assert.match(here.read('table.html'), /<!DOCTYPE html>/);
  const again = await here.exits(2, 'matrix good bad --format html --out table.html');
  assert.match(again.err, /table\.html cannot be written: a file has that name/);
  const data = await here.run('matrix a=good b=bad --format json');
  assert.deepEqual(
    JSON.parse(data.out).reports.map(({ name }: { name: string }) => name),
    ['a', 'b'],
  );
});
