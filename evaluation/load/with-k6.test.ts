import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { previewProfile } from '../../load/preview.ts';
import { PROFILE_IDS } from '../../load/profiles/index.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import { onBusyMachine } from '../testing/tools/busy-machine.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { briefLimitsFor, judgedRecord, k6ProcessOf, startTestbed } from './real-load.ts';
import { whyNoVerdict } from './why-no-verdict.ts';

const unlessBusy = onBusyMachine();

describe('every profile, run by k6 against a conforming server', {
  skip: withoutK6,
  concurrency: 3,
}, () => {
  for (const profile of PROFILE_IDS) {
    test(`${profile}: sends exactly the previewed requests, and passes`, async (t) => {
      await unlessBusy(t, async (again) => {
        const brief = briefLimitsFor(profile);
        const limits = { ...brief, minuteSeconds: brief.minuteSeconds * (again ? 3 : 1) };
        const { job, counted } = await startTestbed(t, { profile, limits });
        const preview = previewProfile(job.profile, job.inputs);
        const outcome = await runK6(job, k6ProcessOf());
        const { keys, ended } = outcome;
        assert.equal(ended.how, 'finished', ended.because);
        assert.equal(counted(), preview.requests, 'the server counted the previewed requests');
        for (const { key, requests } of preview.keys) {
          assert.equal(keys.get(key)?.recorded, requests, key);
        }
        return whyNoVerdict(judgedRecord(job, outcome).requirements, again);
      });
    });
  }
});
