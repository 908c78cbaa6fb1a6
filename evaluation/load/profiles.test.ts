import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findFault, variants } from '../../catalogue/index.ts';
import type { ExpectationId, ProfileId } from '../../load/model/profile.ts';
import { PROFILE_IDS } from '../../load/model/profile.ts';
import type { LoadRecord } from '../../load/model/record.ts';
import { profiles } from '../../load/profiles/index.ts';
import { requestsOf } from '../../load/profiles/requests.ts';
import type { AlgorithmName } from '../../reference-server/index.ts';
import { algorithms } from '../../reference-server/index.ts';
import type { Plans } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import { finds } from './finds.ts';
import { virtualLoad } from './virtual-load.ts';

// Whole load runs in virtual time: the lanes of k6's script against the
// reference server's core. What each profile finds, and what it must not mind.

const names: readonly AlgorithmName[] = algorithms;

const tellings = ({ findings }: LoadRecord, verdict: string): readonly string[] =>
  findings.filter((one) => one.verdict === verdict).map(({ id, because }) => `${id}: ${because}`);

describe('each profile finds what it is for, by the expectations that are about it', () => {
  for (const profile of PROFILE_IDS) {
    for (const [fault, ...by] of finds[profile]) {
      test(`${profile} finds ${fault}`, async () => {
        const ban = fault === 'ban-for-everybody' ? { ban: { after: 5, seconds: 30 } } : {};
        const { record } = await virtualLoad({ profile, fault: findFault(fault), ...ban });
        const failed = record.findings.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
        assert.deepEqual(failed, by, tellings(record, 'fail').join('\n'));
        assert.equal(record.verdict, 'fail');
      });
    }
  }
});

/** Where no lawful judgement is possible, the verdict says so instead of passing. */
const undecided: readonly (readonly [ProfileId, fault: string, ...by: ExpectationId[]])[] = [
  // A day that began anew, or a bucket of a day, would accept as much.
  ['day-quota', 'day-not-enforced', 'DAY'],
  // Its headers speak of the day alone, so a window may have turned over.
  ['over-limit', 'never-limited', 'CEILING', 'RATE-LIMITED'],
  // The keys of a fleet may be of one account.
  ['soak', 'one-counter-for-each-plan', 'NO-429'],
  // Another client of the key would look the same.
  ['at-limit', 'fifty-of-sixty-counted-down', 'FLOOR'],
];

describe('what somebody else may have done is inconclusive', () => {
  for (const [profile, fault, ...by] of undecided) {
    test(`${profile} does not pass ${fault}, and accuses nobody`, async () => {
      const { record } = await virtualLoad({ profile, fault: findFault(fault) });
      const unclear = record.findings.filter(({ verdict }) => verdict === 'inconclusive');
      assert.deepEqual(
        unclear.map(({ id }) => id),
        by,
      );
      assert.deepEqual(tellings(record, 'fail'), []);
    });
  }
});

const planFile = (minuteSeconds: number): Plans => ({ ...loadPlans(), minuteSeconds });

describe('every algorithm passes every profile, in windows of any length', () => {
  for (const algorithm of names) {
    test(`${algorithm} passes`, async () => {
      for (const { id } of profiles) {
        for (const plans of id === 'day-quota' ? [loadPlans()] : [loadPlans(), planFile(2), planFile(3)]) {
          const { record, trace } = await virtualLoad({ profile: id, algorithm, plans });
          const trouble = [...tellings(record, 'fail'), ...tellings(record, 'inconclusive')];
          assert.deepEqual([record.verdict, trouble], ['pass', []], `${id}, ${plans.minuteSeconds} s`);
          const planned = record.keys.reduce((sum, key) => sum + key.planned, 0);
          assert.equal(trace.samples.length, planned, 'exactly what was planned is sent');
        }
      }
    });
  }
});

test('no profile accuses a conforming variant', async () => {
  const told: string[] = [];
  for (const variant of variants) {
    for (const profile of PROFILE_IDS) {
      // The other key of isolation is said to be another caller's.
      if (profile === 'isolation' && variant.id === 'two-keys-of-one-account') continue;
      // Nor does anybody else use it.
      if (profile === 'isolation' && variant.id.startsWith('other-key-')) continue;
      if (profile === 'day-quota') continue;
      const { record } = await virtualLoad({ profile, fault: variant });
      for (const text of tellings(record, 'fail')) told.push(`${profile}, ${variant.id}: ${text}`);
    }
  }
  assert.deepEqual(told, []);
});

test('the table names every profile, and every profile sends something', () => {
  assert.deepEqual(Object.keys(finds), [...PROFILE_IDS]);
  const inputs = {
    limits: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 },
    fleet: 2,
    minutes: 2,
  };
  for (const profile of profiles)
    assert.ok(profile.scenarios(inputs).every((scenario) => requestsOf(scenario) > 0));
});
