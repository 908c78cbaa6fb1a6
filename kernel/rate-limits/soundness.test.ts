import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BurstConditions } from '../../evaluation/testing/rate-limits/bursts.ts';
import { randomBursts, recordBursts } from '../../evaluation/testing/rate-limits/bursts.ts';
import { modelKinds, seededBy } from '../../evaluation/testing/suites/limiters.ts';
import type { Traffic } from '../../evaluation/testing/suites/traffic.ts';
import { randomTraffic, recordTraffic } from '../../evaluation/testing/suites/traffic.ts';
import type { Limits } from '../../spec/plans.ts';
import { Evidence } from '../../suites/service/evidence/evidence.ts';
import { requirements } from '../../suites/service/requirements/index.ts';
import { advertisedBeyondOneReset, beyondOneReset } from './bounds/one-reset.ts';
import { firstOverrun, overrunOf } from './bounds/overrun.ts';
import { findMiscount } from './bounds/refill.ts';
import { explainDiscrepancy } from './explanation.ts';
import { minuteQuota } from './quota.ts';
import { ofKey, seriesOf } from './series.ts';

const RUNS = Number(process.env['SOUNDNESS_RUNS'] ?? 1000);

const limitsOf = ({ quota }: Traffic): Limits => ({
  perMinute: quota.limit,
  perDay: 1000,
  minuteSeconds: quota.windowMs / 1000,
  daySeconds: 86_400,
});

test('the arithmetic finds nothing in random traffic to a conforming limiter', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(randomTraffic, (one) => {
      const limits = limitsOf(one);
      const quota = minuteQuota(limits);
      for (const series of seriesOf(ofKey(recordTraffic(one).exchanges), limits)) {
        seen.add(one.shape.kind);
        assert.equal(findMiscount(series, quota), undefined);
        assert.equal(firstOverrun(series, limits), undefined);
        assert.equal(
          explainDiscrepancy(series, quota, { others: [], everywhere: [], exclusive: false }),
          undefined,
        );
      }
    }),
    { numRuns: RUNS, includeErrorInReport: true },
  );
  assert.deepEqual(seen, new Set(modelKinds));
});

test('no judge of the limit chapters fails a conforming limiter, under random traffic', () => {
  const chapters = requirements.filter(({ id }) => /^(RATE|LIMIT|RETRY)-/.test(id));
  fc.assert(
    fc.property(randomTraffic, (one) => {
      const [run, ...lines] = recordTraffic(one).lines({ limits: limitsOf(one) });
      assert.ok(run?.kind === 'run');
      const evidence = new Evidence(run, lines);
      for (const { id, judge } of chapters) {
        const found = judge(evidence);
        assert.notEqual(found.verdict, 'fail', `${id}: ${JSON.stringify(found)}`);
      }
    }),
    { numRuns: RUNS, includeErrorInReport: true },
  );
});

/** Whether Reset is misstated by no more than its slack (BOUNDS.md, A3): one second of rounding and one more. */
const keepsA3 = ({ jitterSeconds, clockMs }: BurstConditions): boolean => jitterSeconds === 0 || clockMs <= 0;

/** Number of bursts. */
const BURSTS_RUNS = Number(process.env['BURST_RUNS'] ?? 250);

test(`no bound on accepted requests is exceeded by a conforming limiter under bursts: ${BURSTS_RUNS} runs, each reproducible by its number`, () => {
  const found: string[] = [];
  for (let run = 1; run <= BURSTS_RUNS; run += 1) {
    const random = seededBy(`burst ${run}`);
    const conditions = randomBursts(random);
    const { quota } = conditions;
    const limits = {
      perMinute: quota.limit,
      perDay: 100 * quota.limit,
      minuteSeconds: quota.windowMs / 1000,
      daySeconds: 86_400,
    };
    const exchanges = recordBursts(conditions, random);
    const series = seriesOf(exchanges, limits);
    // Every beginning of a series is judged, which takes too long for large limits.
    const judge = quota.limit > 60 ? overrunOf : firstOverrun;
    const proofs = {
      beyond: beyondOneReset(exchanges, quota),
      promised: advertisedBeyondOneReset(exchanges, quota),
      any: keepsA3(conditions) ? series.map((one) => judge(one, limits)) : undefined,
    };
    for (const [name, proof] of Object.entries(proofs))
      for (const over of [proof].flat())
        if (over !== undefined) found.push(`run ${run}, ${name}: ${over.accepted} of ${over.allowed}`);
  }
  assert.deepEqual(found.slice(0, 20), []);
});
