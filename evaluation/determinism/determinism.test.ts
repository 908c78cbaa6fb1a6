import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { startServer } from '../../reference-server/http/server.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import { sampleOf } from '../../tools/sample.ts';
import { whyNoVerdict } from '../load/why-no-verdict.ts';
import { overHttp, plansOf } from '../over-http.ts';
import { readResults } from '../study.ts';
import { onBusyMachine, whyTooSlowOnly } from '../testing/tools/busy-machine.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { reasonsOf } from '../testing/verdicts.ts';
import type { DeterminismResult } from './main.ts';
import { differencesIn } from './repeat.ts';
import { ofLoad, ofService, subjects } from './subjects.ts';

// A few of the runs of `npm run evaluate -- determinism`, without its busy core: other tests run beside them.

const unlessBusy = onBusyMachine();

test('runs against the same server, two at a time, come to the same verdicts', async (t) => {
  for (const algorithm of sampleOf(['fixed-window-from-first', 'gcra'] as const)) {
    await unlessBusy(t, async (again) => {
      const { groups } = await ofService(algorithm, again ? 30 : 2).run(4);
      const reason = groups.map(({ record }) => whyTooSlowOnly(record)).find((one) => one !== undefined);
      if (reason !== undefined) return reason;
      assert.ok((groups[0]?.record.requirements ?? []).length > 50);
      assert.equal(groups[0]?.record.outcome, 'conforms');
      assert.deepEqual(differencesIn(groups), [], algorithm);
      return undefined;
    });
  }
});

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
      assert.deepEqual(
        records.flatMap((record) => reasonsOf(record, 'fail')),
        [],
      );
    });
  }
});

describe('load runs, two at a time, come to the same verdicts', { skip: withoutK6 }, () => {
  for (const server of sampleOf(['conforms', 'fault'] as const)) {
    const { name, fails, run } = ofLoad('over-limit', server);
    test(name, async (t) => {
      await unlessBusy(t, async () => {
        const { groups } = await run(4);
        // What must fail may be open where the machine was busy, and nothing else may fail.
        const reason = groups
          .map(({ record: { requirements } }) =>
            whyNoVerdict(requirements.filter(({ id, verdict }) => verdict !== 'fail' || !fails.includes(id))),
          )
          .find((one) => one !== undefined);
        if (reason !== undefined) return reason;
        assert.ok((groups[0]?.record.requirements ?? []).length > 3);
        assert.equal(groups[0]?.record.outcome, server === 'conforms' ? 'conforms' : 'violates');
        assert.deepEqual(differencesIn(groups), []);
        return undefined;
      });
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
