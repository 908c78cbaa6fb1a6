import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Verdict } from '../../kernel/findings/record.ts';
import type { ExpectationId } from '../../spec/register.ts';
import {
  above,
  delayed,
  growing,
  hangsAbove,
  serviceThat,
  slowAfterBurst,
  slowFromThen,
  unavailable,
} from './degradations.ts';
import type { VirtualLoad } from './virtual-load.ts';
import { virtualLoad } from './virtual-load.ts';

// Services that degrade under load, in simulated time: what soak, spike and breakpoint say about them.

type Row = readonly [
  name: string,
  profile: string,
  id: ExpectationId,
  verdict: Verdict,
  conditions: () => Omit<VirtualLoad, 'profile'>,
  because: RegExp,
];

const leakOfOne = { minutes: 10, fleet: 1 } as const;

/** Free is 54 requests a minute for each of three keys: 0.45 in a second at the first step of a breakpoint, 2.7 at the last. */
const rows: readonly Row[] = [
  ['nothing', 'soak', 'STEADY', 'pass', () => ({}), /trend is 0 ms per hour/],
  ['a leak', 'soak', 'STEADY', 'fail', () => growing(400), /trend is \+24\d{3} ms per hour/],
  ['a leak, one key', 'soak', 'STEADY', 'fail', () => ({ ...growing(60), ...leakOfOne }), /in the last/],
  ['a growth of 60 ms', 'soak', 'STEADY', 'pass', () => growing(30), /\+1800 ms per hour/],
  ['a late onset', 'soak', 'STEADY', 'fail', () => slowFromThen(90_000, 900), /900 ms in the last/],
  [
    'a slow but constant service',
    'soak',
    'STEADY',
    'pass',
    () => serviceThat((outcome) => delayed(outcome, 3000)),
    /3000 ms in the first quarter/,
  ],
  [
    'ever more errors',
    'soak',
    'STEADY',
    'fail',
    () => {
      let n = 0;
      return serviceThat((outcome, elapsed) => {
        n += 1;
        return elapsed > 60_000 && n % 4 === 0 ? unavailable(outcome) : outcome;
      });
    },
    /5xx or no response for \d+ requests? of the first half and \d+ of the second/,
  ],
  ['nothing', 'spike', 'RECOVERS', 'pass', () => ({}), /the first request after it, 3\.00 s later/],
  [
    'a queue that lasts',
    'spike',
    'RECOVERS',
    'fail',
    () => slowAfterBurst(900, 600),
    /not back to what it was before when the run ended/,
  ],
  [
    'a queue that is worked off',
    'spike',
    'RECOVERS',
    'pass',
    () => slowAfterBurst(900, 8),
    /back to what it was before 8\.\d\d s after/,
  ],
  ['a little queue', 'spike', 'RECOVERS', 'pass', () => slowAfterBurst(90, 600), /90\.\d ms/],
  [
    'a target that stops responding in the burst',
    'spike',
    'RECOVERS',
    'fail',
    () => hangsAbove(20),
    /a breakdown after it began\. The target stopped responding/,
  ],
  ['nothing', 'breakpoint', 'HOLDS', 'pass', () => ({}), /held 2\.7 requests\/s, the highest/],
  [
    'slow above a rate',
    'breakpoint',
    'HOLDS',
    'fail',
    () => above(1.6, (outcome) => delayed(outcome, 1200)),
    /trouble at 1\.8 requests\/s, after 1\.35 requests\/s held\. The median latency was 1\d{3} ms/,
  ],
  [
    'slow above a rate, one key',
    'breakpoint',
    'HOLDS',
    'fail',
    () => ({ fleet: 1, ...above(0.7, (outcome) => delayed(outcome, 1200)) }),
    /trouble at 0\.6 requests\/s, after 0\.45 requests\/s held\. .* at the lowest rate\./,
  ],
  [
    'three of four responses slow above a rate',
    'breakpoint',
    'HOLDS',
    'fail',
    () => {
      let n = 0;
      return above(1.6, (outcome) => {
        n += 1;
        return n % 4 === 0 ? outcome : delayed(outcome, 1200);
      });
    },
    /trouble at 1\.8 requests\/s, after 1\.35 requests\/s held/,
  ],
  [
    'a plan too small to compare latencies',
    'breakpoint',
    'HOLDS',
    'inconclusive',
    () => ({
      fleet: 1,
      plan: 'tiny',
      plans: { minuteSeconds: 60, daySeconds: 86_400, plans: { tiny: { perMinute: 5, perDay: 1000 } } },
    }),
    /without errors\. Its latency was not judged: that needs 10 responses/,
  ],
  [
    'silent above a rate',
    'breakpoint',
    'HOLDS',
    'fail',
    () => hangsAbove(1.6),
    /trouble at 1\.\d+ requests\/s, after 1\.35 requests\/s held\. The target stopped responding/,
  ],
  [
    '503 above a rate',
    'breakpoint',
    'HOLDS',
    'fail',
    () => above(2.1, unavailable),
    /trouble at 2\.25 requests\/s, .*\. The target returns server errors/,
  ],
  [
    'a disturbance while a lower rate is sent',
    'breakpoint',
    'HOLDS',
    'pass',
    () => serviceThat((outcome, at) => delayed(outcome, at > 60_000 && at < 90_000 ? 900 : 0)),
    /1 lower step had trouble .* no matter of the rate/,
  ],
  [
    'a slow but constant service',
    'breakpoint',
    'HOLDS',
    'pass',
    () => serviceThat((outcome) => delayed(outcome, 3000)),
    /3000 ms at the lowest rate and 3000 ms at the highest/,
  ],
];

describe('a service that degrades under load', () => {
  for (const [name, profile, id, verdict, conditions, because] of rows) {
    test(`${profile}, ${name}: ${verdict}`, async () => {
      const { record } = await virtualLoad({ profile, ...conditions() });
      const finding = record.requirements.find((one) => one.id === id);
      assert.equal(finding?.verdict, verdict, finding?.because);
      assert.match(finding?.because ?? '', because);
      assert.ok((record.phases ?? []).length > 1, 'the report shows phases');
    });
  }
});
