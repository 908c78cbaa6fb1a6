import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { startServer } from '../../reference-server/http/server.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import { sampleOf } from '../../tools/sample.ts';
import { overHttp, plansOf } from '../over-http.ts';
import { readResults } from '../study.ts';
import { reasonsOf } from '../testing/verdicts.ts';
import type { DeterminismResult } from './main.ts';
import { subjects } from './subjects.ts';

// The study repeats runs of every algorithm and profile each night.

describe('two simultaneous runs with the same key end without a fail', { concurrency: 2 }, () => {
  for (const [at, algorithm] of sampleOf([...algorithms.entries()])) {
    test(algorithm, async (t) => {
      const plans = plansOf(2);
      const server = await startServer({ plans, algorithm });
      t.after(() => server.close());
      const [key = ''] = server.keys.free;
      const run = async (delayMs: number): Promise<RunRecord> => {
        await delay(delayMs);
        return (await overHttp({ baseUrl: server.baseUrl, plans, keys: { key } })).record;
      };
      const records = await Promise.all([run(0), run(at * 37)]);
      const fails = records.flatMap((record) => reasonsOf(record, 'fail'));
      assert.deepEqual(fails, []);
    });
  }
});

test('in the committed results all runs of each subject came to the same, expected verdicts', () => {
  const results = readResults<DeterminismResult>('determinism');
  assert.deepEqual(
    Object.keys(results),
    subjects.map(({ name }) => name),
  );
  for (const { name, times, fails } of subjects) {
    const runs = 10 * times;
    const { runs: done, equal, outcome, failed } = results[name] ?? {};
    const expected = [runs, runs, fails.length === 0 ? 'conforms' : 'violates', fails];
    assert.deepEqual([done, equal, outcome, failed], expected, name);
  }
});
