import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ProfileId } from '../../load/model/profile.ts';
import { PROFILE_IDS } from '../../load/model/profile.ts';
import { runLoad } from '../../load/run/run.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { thirdParties } from '../third-party/index.ts';
import { briefFor, courseOf, judged, orderTo } from './real-load.ts';

// Limiters that are not ours, loaded by real k6. They are witnesses because
// nobody here had a hand in when they begin a window and what they count.

/** What reaches a limit, is refused, waits and comes back; every profile where PROVE_LOAD_WITNESSES is 1. No witness has a day. */
const tried: readonly ProfileId[] =
  process.env['PROVE_LOAD_WITNESSES'] === '1' ? PROFILE_IDS.filter((id) => id !== 'day-quota') : ['recovery'];

/** Some of them count in whole seconds. */
const SHORTEST_WINDOW = 2;

const keys = {
  key: 'witness-key-000001',
  other: 'witness-key-000002',
  disposable: 'witness-key-000003',
} as const;

describe('software of others that conforms passes', { skip: withoutK6, concurrency: 2 }, () => {
  for (const { library, configuration, outcome, sometimesWarns, start, whyUnavailable } of thirdParties) {
    // What is found at some phases of a second alone is found here, too.
    if (outcome !== 'conforms' || sometimesWarns.length > 0) continue;
    for (const profile of tried) {
      test(`${profile}: ${library}, ${configuration}`, async (t) => {
        const why = await whyUnavailable?.();
        if (why !== undefined) return t.skip(why);
        const brief = briefFor(profile);
        const limits = { ...brief, minuteSeconds: Math.max(SHORTEST_WINDOW, brief.minuteSeconds) };
        const folder = mkdtempSync(join(tmpdir(), 'petstore-load-'));
        t.after(() => rmSync(folder, { recursive: true, force: true }));
        const app = await start({
          keys: Object.values(keys),
          perMinute: limits.perMinute,
          windowSeconds: limits.minuteSeconds,
        });
        t.after(() => app.close());
        const order = orderTo(app.baseUrl, { profile, limits, fleet: 2, keys, folder });
        const { verdict, findings } = judged(order, await runLoad(order, courseOf()));
        assert.equal(verdict, 'pass', JSON.stringify(findings, null, 2));
      });
    }
  }
});
