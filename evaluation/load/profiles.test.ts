import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProfileId } from '../../load/profiles/index.ts';
import { PROFILE_IDS, profiles } from '../../load/profiles/index.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { variants } from '../../reference-server/catalogue/variants/index.ts';
import type { Variant } from '../../reference-server/catalogue/variants/variant.ts';
import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import type { Plans } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { ExpectationId } from '../../spec/register.ts';
import { sampleOf } from '../../tools/sample.ts';
import { idsWith, reasonsOf } from '../testing/verdicts.ts';
import { faultsFound, mustPass } from './finds.ts';
import { virtualLoad } from './virtual-load.ts';

// Complete load runs in simulated time: the scenarios of k6's script against the
// core of the reference server. Faults that each profile must find, and variants it must accept.

const names: readonly AlgorithmName[] = algorithms;

describe('each profile finds its faults, by the expectations about them', () => {
  for (const profile of PROFILE_IDS) {
    for (const [fault, ...by] of faultsFound[profile]) {
      test(`${profile} finds ${fault}`, async () => {
        const ban = fault.startsWith('ban-') ? { ban: { after: 5, seconds: 30 } } : {};
        const { record } = await virtualLoad({ profile, fault: findFault(fault), exclusive: true, ...ban });
        assert.deepEqual(idsWith(record, 'fail'), by, reasonsOf(record, 'fail').join('\n'));
        assert.equal(record.outcome, 'violates');
      });
    }
  }
});

/** Faults that cannot be told from a conforming limiter or another client: the verdict is inconclusive, not pass. */
const undecided: readonly (readonly [ProfileId, fault: string, ...by: ExpectationId[]])[] = [
  // The specification does not say that ids differ.
  ['smoke', 'ids-given-twice', 'CONTRACT'],
  // A new day, or a bucket of a day, would accept as much.
  ['day-quota', 'day-not-enforced', 'DAY'],
  // Its headers describe the day only, so a new window may have started.
  ['over-limit', 'never-limited', 'CEILING', 'RATE-LIMITED'],
  // The keys of a fleet may belong to one account.
  ['soak', 'one-counter-for-each-plan', 'NO-429', 'STEADY'],
  // Another client of the key would have the same effect.
  ['at-limit', 'fifty-of-sixty-counted-down', 'FLOOR'],
];

describe('what another client may have caused, or the specification leaves open, is inconclusive', () => {
  for (const [profile, fault, ...by] of undecided) {
    test(`${profile} neither passes nor fails ${fault}`, async () => {
      const { record } = await virtualLoad({ profile, fault: findFault(fault) });
      assert.deepEqual(idsWith(record, 'inconclusive'), by);
      assert.deepEqual(reasonsOf(record, 'fail'), []);
    });
  }
});

const planFile = (minuteSeconds: number): Plans => ({ ...loadPlans(), minuteSeconds });

describe('every algorithm passes every profile, in windows of any length', () => {
  for (const algorithm of names) {
    test(`${algorithm} passes`, async () => {
      const cases = profiles.flatMap(({ id }) =>
        (id === 'day-quota' ? [loadPlans()] : [loadPlans(), planFile(2), planFile(3)]).map((plans) => ({
          id,
          plans,
        })),
      );
      for (const { id, plans } of sampleOf(cases)) {
        const { record, trace } = await virtualLoad({ profile: id, algorithm, plans });
        const trouble = reasonsOf(record, 'fail', 'inconclusive');
        assert.deepEqual([record.outcome, trouble], ['conforms', []], `${id}, ${plans.minuteSeconds} s`);
        const planned = record.keys.reduce((sum, key) => sum + key.planned, 0);
        assert.equal(trace.samples.length, planned, 'exactly the planned requests are sent');
      }
    });
  }
});

/** Whether a variant changes who is limited, or how; any other one is tried with every third profile, each with others. */
const isAboutLimits = ({ wrapLimiter, wrapIdentify, algorithm }: Variant): boolean =>
  wrapLimiter !== undefined || wrapIdentify !== undefined || algorithm !== undefined;

test('no profile fails a conforming variant', async () => {
  const failures: string[] = [];
  const pairs = variants.flatMap((variant, at) =>
    PROFILE_IDS.filter(
      (profile, turn) =>
        profile !== 'day-quota' &&
        mustPass(profile, variant) &&
        (isAboutLimits(variant) || (at + turn) % 3 === 0),
    ).map((profile) => ({ profile, variant })),
  );
  for (const { profile, variant } of sampleOf(pairs)) {
    const { record } = await virtualLoad({ profile, fault: variant });
    for (const text of reasonsOf(record, 'fail')) failures.push(`${profile}, ${variant.id}: ${text}`);
  }
  assert.deepEqual(failures, []);
});
