import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { modelKinds } from '../evaluation/testing/suites/limiters.ts';
import type { Traffic } from '../evaluation/testing/suites/traffic.ts';
import { recorded, traffic } from '../evaluation/testing/suites/traffic.ts';
import { loadSpecification } from '../spec/specification.ts';
import { Evidence } from '../suites/evidence/evidence.ts';
import { compileSchemas } from '../suites/evidence/schemas.ts';
import type { Limits } from '../suites/model/journal.ts';
import { requirements } from '../suites/requirements/index.ts';
import { miscount } from './accounting.ts';
import { discrepancy } from './explain.ts';
import { minuteQuota, overrun } from './overrun.ts';
import { ofKey, seriesOf } from './series.ts';

const RUNS = Number(process.env['SOUNDNESS_RUNS'] ?? 3000);

const limitsOf = ({ quota }: Traffic): Limits => ({
  perMinute: quota.limit,
  perDay: 1000,
  minuteSeconds: quota.windowMs / 1000,
  daySeconds: 86_400,
});

test('the arithmetic finds nothing in any traffic that a lawful limiter has answered', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(traffic, (one) => {
      const limits = limitsOf(one);
      const quota = minuteQuota(limits);
      for (const series of seriesOf(ofKey(recorded(one).exchanges), limits)) {
        seen.add(one.shape.kind);
        assert.equal(miscount(series, quota), undefined);
        assert.equal(overrun(series, limits), undefined);
        assert.equal(
          discrepancy(series, quota, { unauthenticated: [], everywhere: [], exclusive: false }),
          undefined,
        );
      }
    }),
    { numRuns: RUNS, includeErrorInReport: true },
  );
  assert.deepEqual(seen, new Set(modelKinds));
});

test('no judge of the limit chapters accuses a lawful limiter, whatever the traffic', async () => {
  const schemas = compileSchemas((await loadSpecification()).schemas);
  const chapters = requirements.filter(({ id }) => /^(RATE|LIMIT|RETRY)-/.test(id));
  fc.assert(
    fc.property(traffic, (one) => {
      const [run, ...lines] = recorded(one).lines({ limits: limitsOf(one) });
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
