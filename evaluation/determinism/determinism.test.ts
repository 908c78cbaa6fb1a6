import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer } from '../../reference-server/index.ts';
import { algorithms, startServer } from '../../reference-server/index.ts';
import type { RunRecord } from '../../suites/index.ts';
import { overHttp } from '../over-http.ts';
import { withBusyCore } from './busy.ts';
import { repeatRuns } from './repeat.ts';
import { verdictDifferences, verdictVector } from './vectors.ts';

// A few of the runs of `npm run determinism`.

test('runs against the same server, two at a time with a busy core, come to the same verdicts', async () => {
  await withBusyCore(async () => {
    for (const algorithm of ['fixed-window-from-first', 'gcra'] as const) {
      const { groups } = await repeatRuns({ algorithm, runs: 4, parallelRuns: 2, minuteSeconds: 2 });
      const [largest, ...others] = groups;
      assert.ok(largest !== undefined && verdictVector(largest.record.requirements).length > 50);
      assert.equal(largest.record.outcome, 'conforms');
      assert.deepEqual(
        others.flatMap(({ record }) => verdictDifferences(largest.record.requirements, record.requirements)),
        [],
        algorithm,
      );
    }
  });
});

describe('two simultaneous runs with the same key end without a fail', { concurrency: 2 }, () => {
  for (const [at, algorithm] of algorithms.entries()) {
    test(algorithm, async (t) => {
      const plans = {
        minuteSeconds: 2,
        daySeconds: 86_400,
        plans: { free: { perMinute: 60, perDay: 1000 } },
      };
      const server: RunningServer = await startServer({ plans, algorithm });
      t.after(() => server.close());
      const [key = ''] = server.keys.free;
      const run = async (delayMs: number): Promise<RunRecord> => {
        await delay(delayMs);
        return (await overHttp({ baseUrl: server.baseUrl, plans, keys: { key } })).record;
      };
      const records = await Promise.all([run(0), run(at * 37)]);
      const fails = records.flatMap(({ requirements }) =>
        requirements.flatMap(({ id, verdict, because }) => (verdict === 'fail' ? [`${id}: ${because}`] : [])),
      );
      assert.deepEqual(fails, []);
    });
  }
});
