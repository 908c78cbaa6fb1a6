import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Traffic } from '../../evaluation/testing/rate-limits/bursts.ts';
import { randomBursts, randomTraffic, recordedRuns } from '../../evaluation/testing/rate-limits/bursts.ts';
import { modelKinds } from '../../evaluation/testing/suites/limiters.ts';
import { Evidence } from '../../suites/service/evidence/evidence.ts';
import { requirements } from '../../suites/service/requirements/index.ts';
import { advertisedBeyondOneReset, beyondOneReset } from './bounds/one-reset.ts';
import { firstOverrun, overrunOf } from './bounds/overrun.ts';
import { findMiscount } from './bounds/refill.ts';
import { explainDiscrepancy } from './explanation.ts';
import { ofKey, seriesOf } from './series.ts';

const RUNS = Number(process.env['SOUNDNESS_RUNS'] ?? 1000);
const BURSTS_RUNS = Number(process.env['BURST_RUNS'] ?? 250);

test('the arithmetic finds nothing in random traffic to a conforming limiter', () => {
  const seen = new Set<string>();
  for (const { name, traffic, recorded, limits } of recordedRuns(RUNS, 'traffic', randomTraffic)) {
    for (const series of seriesOf(ofKey(recorded.exchanges), limits)) {
      seen.add(traffic.kind);
      assert.equal(findMiscount(series, traffic.quota), undefined, name);
      assert.equal(firstOverrun(series, limits), undefined, name);
      const accused = { others: [], everywhere: [], exclusive: false };
      assert.equal(explainDiscrepancy(series, traffic.quota, accused), undefined, name);
    }
  }
  assert.deepEqual(seen, new Set(modelKinds));
});

test('no judge of the limit chapters fails a conforming limiter, under random traffic', () => {
  const chapters = requirements.filter(({ id }) => /^(RATE|LIMIT|RETRY)-/.test(id));
  for (const { name, recorded, limits } of recordedRuns(RUNS, 'judged traffic', randomTraffic)) {
    const [run, ...lines] = recorded.lines({ limits });
    assert.ok(run?.kind === 'run');
    const evidence = new Evidence(run, lines);
    for (const { id, judge } of chapters) {
      const found = judge(evidence);
      assert.notEqual(found.verdict, 'fail', `${name}, ${id}: ${JSON.stringify(found)}`);
    }
  }
});

/** Whether Reset is misstated by no more than its slack (BOUNDS.md, A3): one second of rounding and one more. */
const keepsA3 = ({ jitterSeconds, clockMs }: Traffic): boolean => jitterSeconds === 0 || clockMs <= 0;

test('no bound on accepted requests is exceeded by a conforming limiter under bursts', () => {
  const found: string[] = [];
  for (const { name: run, traffic, recorded, limits } of recordedRuns(BURSTS_RUNS, 'burst', randomBursts)) {
    const { quota } = traffic;
    const { exchanges } = recorded;
    // Every beginning of a series is judged, which takes too long for large limits.
    const judge = quota.limit > 60 ? overrunOf : firstOverrun;
    const proofs = {
      beyond: beyondOneReset(exchanges, quota),
      promised: advertisedBeyondOneReset(exchanges, quota),
      any: keepsA3(traffic) ? seriesOf(exchanges, limits).map((one) => judge(one, limits)) : undefined,
    };
    for (const [name, proof] of Object.entries(proofs))
      for (const over of [proof].flat())
        if (over !== undefined) found.push(`${run}, ${name}: ${over.accepted} of ${over.allowed}`);
  }
  assert.deepEqual(found.slice(0, 20), []);
});
