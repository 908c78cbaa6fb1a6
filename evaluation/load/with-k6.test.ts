import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PROFILE_IDS } from '../../load/model/profile.ts';
import { previewOf } from '../../load/preview/preview.ts';
import { runLoad } from '../../load/run/run.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { briefFor, courseOf, judged, stage } from './real-load.ts';

describe('every profile, run by k6 against a server that conforms', {
  skip: withoutK6,
  concurrency: 3,
}, () => {
  for (const profile of PROFILE_IDS) {
    test(`${profile}: sends what the preview says, to the last request, and passes`, async (t) => {
      const { order, counted } = await stage(t, { profile, limits: briefFor(profile) });
      const preview = previewOf(order.profile, order.inputs);
      const outcome = await runLoad(order, courseOf());
      const { trace, ended } = outcome;
      assert.deepEqual([ended.how, outcome.damage], ['finished', []], ended.because);
      assert.equal(counted(), preview.requests, 'the server counted what was previewed');
      for (const { key, requests } of preview.keys) {
        assert.equal(trace.samples.filter((sample) => sample.key === key).length, requests, key);
      }
      const { verdict, findings } = judged(order, outcome);
      assert.equal(verdict, 'pass', JSON.stringify(findings, null, 2));
    });
  }
});
