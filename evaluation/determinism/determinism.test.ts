import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer } from '../../reference-server/index.ts';
import { algorithms, startServer } from '../../reference-server/index.ts';
import type { RunRecord } from '../../suites/index.ts';
import { overHttp } from '../over-http.ts';
import { besideABusyLoop } from './busy.ts';
import { repeat } from './repeat.ts';
import { differences, vectorOf } from './vectors.ts';

// A few of the hundred examinations of `npm run determinism`.

test('examinations of the same server, two at a time beside a busy loop, come to the same verdicts', async () => {
  await besideABusyLoop(async () => {
    for (const algorithm of ['fixed-window-from-first', 'gcra'] as const) {
      const { vectors } = await repeat({ algorithm, runs: 4, atOnce: 2, minuteSeconds: 2 });
      const [usual, ...others] = vectors;
      assert.ok(usual !== undefined && vectorOf(usual.record.requirements).length > 50);
      assert.equal(usual.record.outcome, 'conforms');
      assert.deepEqual(
        others.flatMap(({ record }) => differences(usual.record.requirements, record.requirements)),
        [],
        algorithm,
      );
    }
  });
});

describe('two runs at once with the same key do not accuse the target', { concurrency: 2 }, () => {
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
      const accused = records.flatMap(({ requirements }) =>
        requirements.flatMap(({ id, verdict, because }) => (verdict === 'fail' ? [`${id}: ${because}`] : [])),
      );
      assert.deepEqual(accused, []);
    });
  }
});
