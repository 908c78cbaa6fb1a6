import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBursts, recordBursts } from '../evaluation/testing/rate-limits/bursts.ts';
import { seededBy } from '../evaluation/testing/suites/seeded.ts';
import { beyondOneReset, promisedBeyondOneReset } from './bounds/one-reset.ts';
import { firstOverrun } from './bounds/overrun.ts';
import { seriesOf } from './series/series.ts';

/** Number of bursts. */
const RUNS = Number(process.env['BURST_RUNS'] ?? 250);

test(`no bound on accepted requests is exceeded by a conforming limiter under bursts: ${RUNS} runs, each reproducible by its number`, () => {
  const found: string[] = [];
  for (let run = 1; run <= RUNS; run += 1) {
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
    const proofs = {
      beyond: beyondOneReset(exchanges, quota),
      promised: promisedBeyondOneReset(exchanges, quota),
      // Quadratic in the requests.
      any: quota.limit > 60 ? undefined : seriesOf(exchanges, limits).map((one) => firstOverrun(one, limits)),
    };
    for (const [name, proof] of Object.entries(proofs))
      for (const over of [proof].flat())
        if (over !== undefined) found.push(`run ${run}, ${name}: ${over.accepted} of ${over.allowed}`);
  }
  assert.deepEqual(found.slice(0, 20), []);
});
