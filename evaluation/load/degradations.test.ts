import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Verdict } from '../../kernel/findings/record.ts';
import { assertPage } from '../testing/tools/page.ts';
import {
  above,
  delayed,
  growing,
  hangsAbove,
  serviceThat,
  slowAfterBurst,
  unavailable,
} from './degradations.ts';
import type { VirtualLoad } from './virtual-load.ts';
import { virtualLoad } from './virtual-load.ts';

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
