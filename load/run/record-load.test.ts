import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { paced } from '../../evaluation/testing/load/rows.ts';
import { LIMITS } from '../../evaluation/testing/load/runs.ts';
import type { Scenario, Step } from '../model/profile.ts';
import type { ScenarioEvent } from '../model/sample.ts';
import { outputRemarks } from './load-ending.ts';
import { sentRequests } from './record-load.ts';

const finished: ScenarioEvent = { kind: 'finished', key: 'key', at: 9, requests: 3 };

describe('how many requests a key sent', () => {
  const burst = (requests: number): Step => ({ kind: 'burst', requests, concurrency: 6 });
  for (const [name, step, sent, end] of [
    ['a scenario that recorded its end', burst(50), 3, finished],
    ['a burst without an end', burst(50), 9],
    ['a paced step without an end: as many in flight as the timeout allows', paced(50, 50_000), 13],
    ['a persistent step without an end', { ...paced(50, 125_000), kind: 'persist' }, 7],
    ['never more than planned', burst(5), 5],
  ] as const) {
    test(name, () => {
      const scenario: Scenario = { key: 'key', limits: LIMITS, steps: [step] };
      assert.deepEqual(sentRequests([scenario], new Map([['key', { recorded: 3, end }]])), { key: sent });
    });
  }
});

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
