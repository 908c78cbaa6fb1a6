import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Verdict } from '../../kernel/findings/record.ts';
import type { ProfileId } from '../../load/profiles/index.ts';
import { PROFILE_IDS, profiles } from '../../load/profiles/index.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { variants } from '../../reference-server/catalogue/variants/index.ts';
import type { Variant } from '../../reference-server/catalogue/variants/variant.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import type { Plans } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { ExpectationId } from '../../spec/register.ts';
import { sampleOf } from '../../tools/sample.ts';
import { assertPage } from '../testing/tools/page.ts';
import { idsWith, reasonsOf } from '../testing/verdicts.ts';
import {
  above,
  delayed,
  growing,
  hangsAbove,
  serviceThat,
  slowAfterBurst,
  unavailable,
} from './degradations.ts';
import { faultsFound, mustPass } from './finds.ts';
import type { VirtualLoad } from './virtual-load.ts';
import { virtualLoad } from './virtual-load.ts';

// Complete load runs in simulated time: the scenarios of k6's script against the
// core of the reference server. Faults that each profile must find, and variants it must accept.

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
  for (const algorithm of algorithms) {
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

// Services that degrade under load, in simulated time: what soak, spike and breakpoint say about them.

/** The expectation of each profile that degradation is about. */
const ABOUT = { soak: 'STEADY', spike: 'RECOVERS', breakpoint: 'HOLDS' } as const;

type Conditions = () => Omit<VirtualLoad, 'profile'>;

const leakOfOne = { minutes: 10, fleet: 1 } as const;

/** Free is 54 requests a minute for each of three keys: 0.45 in a second at the first step of a breakpoint, 2.7 at the last. */
const rows: Readonly<
  Record<keyof typeof ABOUT, Readonly<Partial<Record<Verdict, Readonly<Record<string, Conditions>>>>>>
> = {
  soak: {
    pass: {
      nothing: () => ({}),
      'a growth of 60 ms': () => growing(30),
      'a slow but constant service': () => serviceThat((outcome) => delayed(outcome, 3000)),
    },
    fail: {
      'a leak': () => growing(400),
      'a leak, one key': () => ({ ...growing(60), ...leakOfOne }),
      'a late onset': () => serviceThat((outcome, elapsed) => delayed(outcome, elapsed < 90_000 ? 0 : 900)),
      'ever more errors': () => {
        let n = 0;
        return serviceThat((outcome, elapsed) => {
          n += 1;
          return elapsed > 60_000 && n % 4 === 0 ? unavailable(outcome) : outcome;
        });
      },
    },
  },
  spike: {
    pass: {
      nothing: () => ({}),
      'a queue that is worked off': () => slowAfterBurst(900, 8),
      'a little queue': () => slowAfterBurst(90, 600),
    },
    fail: {
      'a queue that lasts': () => slowAfterBurst(900, 600),
      'a target that stops responding in the burst': () => hangsAbove(20),
    },
  },
  breakpoint: {
    pass: {
      nothing: () => ({}),
      'a disturbance while a lower rate is sent': () =>
        serviceThat((outcome, at) => delayed(outcome, at > 60_000 && at < 90_000 ? 900 : 0)),
      'a slow but constant service': () => serviceThat((outcome) => delayed(outcome, 3000)),
    },
    fail: {
      'slow above a rate': () => above(1.6, (outcome) => delayed(outcome, 1200)),
      'slow above a rate, one key': () => ({ fleet: 1, ...above(0.7, (outcome) => delayed(outcome, 1200)) }),
      'three of four responses slow above a rate': () => {
        let n = 0;
        return above(1.6, (outcome) => {
          n += 1;
          return n % 4 === 0 ? outcome : delayed(outcome, 1200);
        });
      },
      'silent above a rate': () => hangsAbove(1.6),
      '503 above a rate': () => above(2.1, unavailable),
    },
    inconclusive: {
      'a plan too small to compare latencies': () => ({
        fleet: 1,
        plan: 'tiny',
        plans: { minuteSeconds: 60, daySeconds: 86_400, plans: { tiny: { perMinute: 5, perDay: 1000 } } },
      }),
    },
  },
};

describe('a service that degrades under load', () => {
  const reasons: string[] = [];
  for (const [profile, id] of Object.entries(ABOUT))
    for (const [verdict, runs] of Object.entries(rows[profile as keyof typeof ABOUT]))
      for (const [name, conditions] of Object.entries(runs))
        test(`${profile}, ${name}: ${verdict}`, async () => {
          const { record } = await virtualLoad({ profile, ...conditions() });
          const finding = record.requirements.find((one) => one.id === id);
          assert.equal(finding?.verdict, verdict, finding?.because);
          reasons.push(`${profile}, ${name}: ${verdict}\n  ${finding.because}`);
          assert.ok((record.phases ?? []).length > 1, 'the report shows phases');
        });

  test('each has the reason that it is known to have', () =>
    assertPage('evaluation/load/degradations.txt', `${reasons.join('\n')}\n`));
});
