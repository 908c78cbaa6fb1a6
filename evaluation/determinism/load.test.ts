import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleOf } from '../../tools/sample.ts';
import { whyNoVerdict } from '../load/why-no-verdict.ts';
import { onBusyMachine } from '../testing/tools/busy-machine.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { differencesIn, withBusyCore } from './repeat.ts';
import { ofLoad } from './subjects.ts';

const unlessBusy = onBusyMachine();

describe('load runs, two at a time with a busy core, come to the same verdicts', { skip: withoutK6 }, () => {
  // A few of the runs of `npm run evaluate -- determinism`.
  for (const server of sampleOf(['conforms', 'fault'] as const)) {
    const { name, fails, run } = ofLoad('over-limit', server);
    test(name, async (t) => {
      await unlessBusy(t, async () => {
        const { groups } = await withBusyCore(() => run(4));
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
