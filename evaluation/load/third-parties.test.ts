import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProfileId } from '../../load/profiles/index.ts';
import { PROFILE_IDS } from '../../load/profiles/index.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { thirdParties } from '../third-party/limiters.ts';
import { briefLimitsFor, judgedRecord, k6ProcessOf, loadJobFor } from './real-load.ts';

// Third-party limiters, loaded by real k6. They decide independently of this
// project when a window starts and what they count.

/** The profile that reaches a limit and recovers; every profile with PROVE_LOAD_THIRD_PARTIES=1. No third-party limiter has a day. */
const testedProfiles: readonly ProfileId[] =
  process.env['PROVE_LOAD_THIRD_PARTIES'] === '1'
    ? PROFILE_IDS.filter((id) => id !== 'day-quota')
    : ['recovery'];

/** In seconds; some of them count in whole seconds. */
const SHORTEST_WINDOW = 2;

const keys = {
  key: 'third-party-key-000001',
  other: 'third-party-key-000002',
  disposable: 'third-party-key-000003',
} as const;

describe('conforming third-party software passes', { skip: withoutK6, concurrency: 2 }, () => {
  for (const { library, configuration, outcome, sometimesWarns, start, whyUnavailable } of thirdParties) {
    // Some violations appear only at some phases of a second, and would make this test unstable.
    if (outcome !== 'conforms' || sometimesWarns.length > 0) continue;
    for (const profile of testedProfiles) {
      test(`${profile}: ${library}, ${configuration}`, async (t) => {
        const reason = await whyUnavailable?.();
        if (reason !== undefined) return t.skip(reason);
        const briefLimits = briefLimitsFor(profile);
        const limits = {
          ...briefLimits,
          minuteSeconds: Math.max(SHORTEST_WINDOW, briefLimits.minuteSeconds),
        };
        const folder = temporaryFolder(t);
        const app = await start({
          keys: Object.values(keys),
          perMinute: limits.perMinute,
          windowSeconds: limits.minuteSeconds,
        });
        t.after(() => app.close());
        const job = loadJobFor(app.baseUrl, { profile, limits, fleet: 2, keys, folder });
        const { outcome, requirements } = judgedRecord(job, await runK6(job, k6ProcessOf()));
        assert.equal(outcome, 'conforms', JSON.stringify(requirements, null, 2));
      });
    }
  }
});
