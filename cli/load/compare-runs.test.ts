import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, temporaryFolder } from '../../evaluation/testing/cli/command.ts';
import { loadRun } from '../../evaluation/testing/reports/load-runs.ts';

const { record } = loadRun('http://127.0.0.1/v1', 'pass');

function written(folder: string, name: string, more: object = {}): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'load-report.json'), JSON.stringify({ ...record, ...more }));
  return path;
}

test('load compare prints what is worse, as text and as JSON, and sets the exit code', async (t) => {
  const folder = temporaryFolder(t);
  const before = written(folder, 'before');
  const slower = written(folder, 'slower', {
    latencyMs: { count: 61, min: 5, p50: 70, p90: 120, p99: 130, p999: 130, max: 130 },
  });
  const elsewhere = written(folder, 'elsewhere', { environment: { ...record.environment, cpus: 64 } });

  const same = await run(t, ['load', 'compare', before, before]);
  assert.deepEqual([same.code, same.err], [0, '']);
  assert.match(same.out, /✓ No regression: no figure is worse by more than 10 %\.\n$/);

  const worse = await run(t, ['load', 'compare', before, slower]);
  assert.equal(worse.code, 1);
  assert.match(worse.out, /latency p50 {2,}35\.00 ms {2,}70\.00 ms {2,}worse\n/);
  assert.match(worse.out, /✗ Regression: latency p50, latency p90\.\n$/);

  const tolerant = await run(t, ['load', 'compare', before, slower, '--tolerance', '100%', '--json']);
  assert.deepEqual([tolerant.code, JSON.parse(tolerant.out).outcome], [0, 'none']);

  const other = await run(t, ['load', 'compare', before, elsewhere]);
  assert.equal(other.code, 3);
  assert.match(other.out, /· The number of CPUs differs: 2 and 64\./);
});

test('load compare rejects invalid input with one sentence', async (t) => {
  const folder = temporaryFolder(t);
  const good = written(folder, 'good');
  const strange = written(folder, 'strange', { schemaVersion: 1 });
  writeFileSync(join(folder, 'text'), 'hello');
  const rows = [
    [[good, join(folder, 'missing')], /missing\/?.*cannot be read\. Name the folder of a load run/],
    [[good, join(folder, 'text')], /text is not JSON\. /],
    [[good, strange], /is not a report of load: \/schemaVersion must be equal to constant\. /],
    [[good, good, '--tolerance', 'ten'], /--tolerance takes a percentage such as 10, not "ten"/],
    [[good], /[Mm]issing required argument 'second'/],
  ] as const;
  for (const [args, sentence] of rows) {
    const { code, out, err } = await run(t, ['load', 'compare', ...args]);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, sentence);
    assert.equal(err.trimEnd().split('\n').length, 1);
  }
});
