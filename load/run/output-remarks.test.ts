import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputRemarks } from './output-remarks.ts';

const lines = [
  'Failed to send the time series data to the endpoint',
  "Couldn't write stats",
  "can't shutdown OpenTelemetry metric provider",
  '2026/11/22 16:52:08 failed to upload metrics: exporter export timeout',
  'Successful request but it took 7s while flush period is 5s. Some samples may be dropped.',
];

test('a failed write of an additional output becomes a sentence with its first error', () => {
  for (const line of lines)
    assert.match(
      outputRemarks(`one\n${line}\n`, ['x'])[0] ?? '',
      /^Measurements are missing .* k6 reports 1 error of/,
    );
  assert.match(
    outputRemarks(lines.join('\n'), ['x'])[0] ?? '',
    /reports 5 errors .* the first "Failed to send the time series data to the endpoint"\. The verdict/,
  );
});

test('other lines, and a run without additional outputs, give none', () => {
  const others = "Request Failed\nthresholds on metrics 'http_reqs' have been crossed\nslow";
  assert.deepEqual(outputRemarks(others, ['x']), []);
  assert.deepEqual(outputRemarks(lines.join('\n'), []), []);
});
