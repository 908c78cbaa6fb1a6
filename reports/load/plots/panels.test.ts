import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bin } from './panels.ts';
import { latencyPanel } from './panels.ts';

const bin = (from: number, p50: number): Bin => ({
  ...{ from, to: from + 10, requests: 6, statuses: [6, 0, 0, 0, 0] },
  ...{ p50, p95: p50 + 1, p99: p50 + 2, delay: 0 },
  remaining: { low: 1, median: 2, high: 3 },
});

test('the latency of a single interval is drawn over all of it, and is not a point without length', () => {
  const drawn = xOfMarks([bin(0, Number.NaN), bin(10, 5)]);
  assert.equal(drawn.length, 4);
  for (const xs of drawn) assert.deepEqual(xs, [10, 20]);
  for (const xs of xOfMarks([bin(0, 4), bin(10, 5)])) assert.deepEqual(xs, [5, 15]);
  for (const xs of xOfMarks([bin(0, Number.NaN)])) assert.deepEqual(xs, []);
});

function xOfMarks(bins: readonly Bin[]): readonly (readonly number[])[] {
  const panel = latencyPanel(bins);
  assert.ok(panel.kind === 'values');
  return panel.marks.flatMap((mark) =>
    mark.kind === 'band' || mark.kind === 'line' ? [mark.points.map(({ x }) => x)] : [],
  );
}
