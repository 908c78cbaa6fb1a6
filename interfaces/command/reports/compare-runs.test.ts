import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exits, run } from '../../../evaluation/testing/cli/command.ts';
import { loadFindingOf, loadRun } from '../../../evaluation/testing/reports/load-runs.ts';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';

const { record } = loadRun('http://127.0.0.1/v1', 'conforms');

function written(folder: string, name: string, more: object = {}): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'report.json'), JSON.stringify({ ...record, ...more }));
  return path;
}

/** A set of repetitions whose latencies lie closely around this median; in turn with another one. */
function repeated(folder: string, name: string, p50: number, turn: 0 | 1): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (let i = 0; i < 6; i += 1) {
    const median = p50 + i / 10;
    const latencyMs = { count: 61, min: 5, p50: median, p90: 2 * median, p99: 130, p999: 130, max: 130 };
    const startedAt = new Date(60_000 * (2 * i + turn)).toISOString();
    written(path, `run-${i + 1}`, { latencyMs, startedAt });
  }
  return path;
}

test('compare prints what is worse in a set, as text and as JSON, and sets the exit code', async (t) => {
  const folder = temporaryFolder(t);
  const [before, slower] = [repeated(folder, 'before', 35, 0), repeated(folder, 'slower', 70, 1)];

  const same = await run(t, ['compare', before, repeated(folder, 'same', 35, 1)]);
  assert.deepEqual([same.code, same.err], [0, '']);
  assert.match(same.out, /FIRST \(6 RUNS\)/);
  assert.match(
    same.out,
    /✓ No regression: no figure is worse by more than 10 % and what noise explains\.\n$/,
  );

  const worse = await exits(1, t, ['compare', before, slower]);
  assert.match(worse.out, /latency p50 .*35\.25 ms \(35\.00 ms to 35\.50 ms\) .*70\.25 ms .* worse\n/);
  assert.match(worse.out, /✗ Regression: latency p50, latency p90\. .*at most 1 of 100 comparisons\.\n$/);

  const tolerant = await run(t, ['compare', before, slower, '--tolerance', '150%', '--format', 'json']);
  assert.deepEqual([tolerant.code, JSON.parse(tolerant.out).outcome], [0, 'not worse']);

  const parts = [1, 2].map((n) => join(slower, `run-${n}`)).join(',');
  const few = await exits(3, t, ['compare', before, parts]);
  assert.match(few.out, /SECOND \(2 RUNS\)[\s\S]*not recorded in turn[\s\S]*\? Not decided: latency p50/);
});

test('compare shows how two single runs differ, and lets only verdicts decide', async (t) => {
  const folder = temporaryFolder(t);
  const before = written(folder, 'before');
  const slower = written(folder, 'slower', {
    latencyMs: { count: 61, min: 5, p50: 70, p90: 120, p99: 130, p999: 130, max: 130 },
  });
  const elsewhere = written(folder, 'elsewhere', { environment: { ...record.environment, cpus: 64 } });
  const failing = written(folder, 'failing', {
    requirements: record.requirements.map(({ id }) => loadFindingOf(id, 'fail', 'x')),
  });

  const noisy = await run(t, ['compare', before, slower]);
  assert.deepEqual([noisy.code, noisy.err], [0, '']);
  assert.match(noisy.out, /latency p50 {2,}35\.00 ms {2,}70\.00 ms {2,}differs: this may be noise\n/);
  assert.match(
    noisy.out,
    /cannot tell a change of latency or counts from noise[\s\S]*✓ No verdict is worse\.\n$/,
  );

  const failed = await exits(1, t, ['compare', before, failing]);
  assert.match(failed.out, /✗ Regression: SENT, NO-5XX, RATE-LIMITED\.\n$/);

  const other = await exits(3, t, ['compare', before, elsewhere]);
  assert.match(other.out, /· The number of CPUs differs: 2 and 64\./);
});
