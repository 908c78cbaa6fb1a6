import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judgeLoad } from '../../load/judging/judge.ts';
import type { ProfileId } from '../../load/model/profile.ts';
import { PROFILE_IDS } from '../../load/model/profile.ts';
import { previewOf } from '../../load/preview/preview.ts';
import { runLoad } from '../../load/run/run.ts';
import type { Limits } from '../../spec/plans.ts';
import { withoutK6 } from '../../tools/testing/k6.ts';
import type { Trial } from './real-load.ts';
import { brief, courseOf, stage } from './real-load.ts';

/** Windows in which a profile shows what it is there for, and that end soon. */
const LIMITS: Readonly<Partial<Record<ProfileId, Limits>>> = {
  // The day must outlast the requests that use it up.
  'day-quota': { ...brief, perDay: 40, daySeconds: 3600 },
  // What a bucket gives back in the time of a burst must be less than the burst exceeds the limit by.
  'over-limit': { ...brief, minuteSeconds: 3 },
  recovery: { ...brief, minuteSeconds: 3 },
};

describe('every profile, run by k6 against a server that conforms', {
  skip: withoutK6,
  concurrency: 3,
}, () => {
  for (const profile of PROFILE_IDS) {
    test(`${profile}: sends what the preview says, to the last request, and passes`, async (t) => {
      const limits = LIMITS[profile] ?? brief;
      const trial: Trial = { profile, limits };
      const { order, counted } = await stage(t, trial);
      const preview = previewOf(order.profile, order.means);
      const outcome = await runLoad(order, courseOf());
      const { trace, ended, startedAt, finishedAt } = outcome;
      assert.deepEqual([ended.how, outcome.damage], ['finished', []], ended.because);
      assert.equal(counted(), preview.requests, 'the server counted what was previewed');
      for (const { key, requests } of preview.keys) {
        assert.equal(trace.samples.filter((sample) => sample.key === key).length, requests, key);
      }
      const { verdict, findings } = judgeLoad({
        suite: { name: 'petstore-conformance', version: '0' },
        target: { baseUrl: order.baseUrl, plan: 'free' },
        profile: order.profile,
        means: order.means,
        trace,
        ended,
        startedAt,
        finishedAt,
        environment: { k6: '2', node: '20', platform: 'any', cpus: 1 },
      });
      assert.equal(verdict, 'pass', JSON.stringify(findings, null, 2));
    });
  }
});
