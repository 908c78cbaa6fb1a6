import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { modelKinds } from '../../evaluation/testing/suites/limiters.ts';
import type { Traffic } from '../../evaluation/testing/suites/traffic.ts';
import { randomTraffic, recordTraffic } from '../../evaluation/testing/suites/traffic.ts';
import type { Limits } from '../../spec/plans.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { Evidence } from '../../suites/service/evidence/evidence.ts';
import { compileSchemas } from '../../suites/service/evidence/schemas.ts';
import { requirements } from '../../suites/service/requirements/index.ts';
import { findImpossibleBatch } from './bounds/impossible-batch.ts';
import { findMiscount } from './bounds/impossible-gain.ts';
import { firstOverrun } from './bounds/overrun.ts';
import { explainDiscrepancy } from './explanation.ts';
import { minuteQuota } from './quota.ts';
import { ofKey } from './series/keyed-requests.ts';
import { seriesOf } from './series/series.ts';

const RUNS = Number(process.env['SOUNDNESS_RUNS'] ?? 3000);

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
        assert.equal(findImpossibleBatch(series, quota), undefined);
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

test('no judge of the limit chapters fails a conforming limiter, under random traffic', async () => {
  const schemas = compileSchemas((await loadSpecification()).schemas);
  const chapters = requirements.filter(({ id }) => /^(RATE|LIMIT|RETRY)-/.test(id));
  fc.assert(
    fc.property(randomTraffic, (one) => {
      const [run, ...lines] = recordTraffic(one).lines({ limits: limitsOf(one) });
      assert.ok(run?.kind === 'run');
      const evidence = new Evidence(run, lines, schemas);
      for (const { id, judge } of chapters) {
        const found = judge(evidence);
        assert.notEqual(found.verdict, 'fail', `${id}: ${JSON.stringify(found)}`);
      }
    }),
    { numRuns: RUNS, includeErrorInReport: true },
  );
});
