import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BurstConditions } from '../../evaluation/testing/rate-limits/bursts.ts';
import { randomBursts, recordBursts } from '../../evaluation/testing/rate-limits/bursts.ts';
import { seededBy } from '../../evaluation/testing/suites/seeded.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { advertisedBeyondOneReset, beyondOneReset } from './bounds/one-reset.ts';
import { firstOverrun, overrunOf } from './bounds/overrun.ts';
import { beyondUndatedReset } from './bounds/undated-reset.ts';
import { seriesOf } from './series/series.ts';

/** Whether Reset is misstated by no more than its slack (BOUNDS.md, A3): one second of rounding and one more. */
const keepsA3 = ({ jitterSeconds, clockMs }: BurstConditions): boolean => jitterSeconds === 0 || clockMs <= 0;

/** The same exchange with a service that sends no Date. */
const withoutDate = (exchange: Exchange): Exchange => {
  const { outcome } = exchange;
  if (outcome.kind !== 'answer') return exchange;
  return {
    ...exchange,
    outcome: { ...outcome, headers: outcome.headers.filter(([name]) => name !== 'Date') },
  };
};

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
    const series = seriesOf(exchanges, limits);
    // Every beginning of a series is judged, which takes too long for large limits.
    const judge = quota.limit > 60 ? overrunOf : firstOverrun;
    const proofs = {
      beyond: beyondOneReset(exchanges, quota),
      undated: beyondUndatedReset(exchanges.map(withoutDate), quota),
      promised: advertisedBeyondOneReset(exchanges, quota),
      any: keepsA3(conditions) ? series.map((one) => judge(one, limits)) : undefined,
    };
    for (const [name, proof] of Object.entries(proofs))
      for (const over of [proof].flat())
        if (over !== undefined) found.push(`run ${run}, ${name}: ${over.accepted} of ${over.allowed}`);
  }
  assert.deepEqual(found.slice(0, 20), []);
});
