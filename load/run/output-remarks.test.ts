import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputRemarks } from './output-remarks.ts';

const lines = [
  'time="2026-11-22T16:51:58Z" level=error msg="Failed to send the time series data to the endpoint" error="HTTP POST request failed: Post \\"http://127.0.0.1:9/api/v1/write\\": connection refused" output="Prometheus remote write"',
  'time="2026-11-22T16:51:58Z" level=error msg="Couldn\'t write stats" error="Post \\"http://127.0.0.1:9/write\\": connection refused" output=InfluxDBv1',
  'time="2026-11-22T16:52:08Z" level=error msg="can\'t shutdown OpenTelemetry metric provider" error="exporter export timeout"',
];

test('a failed write of an additional output becomes a sentence with its first error', () => {
  for (const line of lines)
    assert.match(
      outputRemarks(`one\n${line}\n`, ['x'])[0] ?? '',
      /^Measurements are missing .* k6 reports 1 error of/,
    );
  assert.match(
    outputRemarks(lines.join('\n'), ['x'])[0] ?? '',
    /reports 3 errors .* the first "Failed to send the time series data to the endpoint" \("HTTP POST request/,
  );
});

test('other lines, and a run without additional outputs, give none', () => {
  assert.deepEqual(
    outputRemarks('level=error msg="thresholds were crossed"\nlevel=warning msg="slow"', ['x']),
    [],
  );
  assert.deepEqual(outputRemarks(lines.join('\n'), []), []);
});
