import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findProfile } from '../../load/profiles/index.ts';
import { unshownDays } from '../../reference-server/catalogue/variants/day.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import type { Decision } from '../../reference-server/limiters/limiter.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { sampleOf } from '../../tools/sample.ts';
import { idsWith } from '../testing/verdicts.ts';
import { virtualLoad } from './virtual-load.ts';

/** Phases of the minute at which a day that is nearly exhausted ends with the Reset of the minute, in seconds. */
const PHASES = [8, 9, 10, 11, 12, 38, 39, 40, 41, 42];

describe('a nearly exhausted day behind the headers of the minute', () => {
  for (const profile of ['under', 'at-limit', 'over-limit', 'backoff', 'plans'])
    test(`fails no run of ${profile}, also where it ends with the minute`, async () => {
      for (const [id, fault] of Object.entries(unshownDays))
        for (const phase of sampleOf(PHASES)) {
          const start = Date.UTC(2026, 10, 21, 10, 3, phase);
          const fleet = profile === 'plans' ? { fleetOf: ['free', 'pro', 'business'] } : {};
          const { record } = await virtualLoad({
            profile,
            fault,
            start,
            algorithm: 'fixed-window',
            ...fleet,
          });
          assert.equal(record.outcome, 'incomplete');
          assert.deepEqual(idsWith(record, 'fail'), [], `${id}, second ${phase}`);
        }
    });
});

/** Half of the limit, from a 429 whose headers show that quota remains. */
const halfBehindItsHeaders: Seams = {
  wrapLimiter(limiter) {
    const shown = new Map<string, Decision>();
    return (caller, request, now) => {
      const last = shown.get(caller.id);
      const isUsed = last !== undefined && now < last.resetAt && last.remaining <= last.limit / 2;
      if (isUsed) return { ...last, allowed: false, retryAt: last.resetAt };
      const decision = limiter(caller, request, now);
      shown.set(caller.id, decision);
      return decision;
    };
  },
};

test('a lower limit of the minute whose 429 shows quota fails where it ends twice at one Remaining', async () => {
  for (const [profile, id, verdict] of [
    ['at-limit', 'REMAINING', 'inconclusive'],
    ['at-limit', 'FLOOR', 'inconclusive'],
    ['backoff', 'REMAINING', 'fail'],
    ['under', 'NO-429', 'fail'],
  ] as const) {
    const { record } = await virtualLoad({ profile, fault: halfBehindItsHeaders, algorithm: 'fixed-window' });
    const found = record.requirements.find((one) => one.id === id);
    assert.equal(found?.verdict, verdict, found?.because);
  }
});

// Two runs with the same keys, the second right after the first.

const after = (first: string) => ({ profile: findProfile(first), gapMs: 0 });

describe('a profile whose keys another run has just used', () => {
  for (const profile of [
    ...['under', 'at-limit', 'over-limit', 'recovery', 'backoff', 'isolation'],
    ...['soak', 'spike', 'breakpoint', 'capacity'],
  ]) {
    test(`${profile} waits for its quota, and then passes`, async () => {
      for (const algorithm of algorithms) {
        const fleet = ['soak', 'spike', 'breakpoint', 'capacity'].includes(profile) ? 'spike' : 'over-limit';
        const { record } = await virtualLoad({ profile, algorithm, earlier: after(fleet) });
        const open = record.requirements.filter(({ verdict }) => verdict !== 'pass');
        assert.deepEqual(open, [], algorithm);
      }
    });
  }

  test('a 429 of a key that does not wait is explained by its earlier use, and by nothing else', async () => {
    for (const algorithm of algorithms) {
      const { record } = await virtualLoad({ profile: 'offender', algorithm, earlier: after('over-limit') });
      const open = record.requirements.filter(({ verdict }) => verdict !== 'pass');
      for (const { id, verdict, because } of open) {
        assert.deepEqual([id, verdict], ['NEIGHBOUR', 'inconclusive'], because);
        assert.match(because, /in use when the run began.*two windows after the last use/);
      }
    }
  });
});
