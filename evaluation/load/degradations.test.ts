import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Verdict } from '../../kernel/findings/record.ts';
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

/** The expectation of each profile that degradation is about. */
const ABOUT = { soak: 'STEADY', spike: 'RECOVERS', breakpoint: 'HOLDS' } as const;

type Row = readonly [conditions: () => Omit<VirtualLoad, 'profile'>, because: RegExp];

const leakOfOne = { minutes: 10, fleet: 1 } as const;

/** Free is 54 requests a minute for each of three keys: 0.45 in a second at the first step of a breakpoint, 2.7 at the last. */
const rows: Readonly<
  Record<keyof typeof ABOUT, Readonly<Partial<Record<Verdict, Readonly<Record<string, Row>>>>>>
> = {
  soak: {
    pass: {
      nothing: [() => ({}), /trend is 0 ms per hour/],
      'a growth of 60 ms': [() => growing(30), /\+1800 ms per hour/],
      'a slow but constant service': [
        () => serviceThat((outcome) => delayed(outcome, 3000)),
        /3000 ms in the first quarter/,
      ],
    },
    fail: {
      'a leak': [() => growing(400), /trend is \+24\d{3} ms per hour/],
      'a leak, one key': [() => ({ ...growing(60), ...leakOfOne }), /in the last/],
      'a late onset': [() => slowFromThen(90_000, 900), /900 ms in the last/],
      'ever more errors': [
        () => {
          let n = 0;
          return serviceThat((outcome, elapsed) => {
            n += 1;
            return elapsed > 60_000 && n % 4 === 0 ? unavailable(outcome) : outcome;
          });
        },
        /5xx or no response for \d+ requests? of the first half and \d+ of the second/,
      ],
    },
  },
  spike: {
    pass: {
      nothing: [() => ({}), /the first request after it, 3\.00 s later/],
      'a queue that is worked off': [
        () => slowAfterBurst(900, 8),
        /back to what it was before 8\.\d\d s after/,
      ],
      'a little queue': [() => slowAfterBurst(90, 600), /90\.\d ms/],
    },
    fail: {
      'a queue that lasts': [
        () => slowAfterBurst(900, 600),
        /not back to what it was before when the run ended/,
      ],
      'a target that stops responding in the burst': [
        () => hangsAbove(20),
        /a breakdown after it began\. The target stopped responding/,
      ],
    },
  },
  breakpoint: {
    pass: {
      nothing: [() => ({}), /held 2\.7 requests\/s, the highest/],
      'a disturbance while a lower rate is sent': [
        () => serviceThat((outcome, at) => delayed(outcome, at > 60_000 && at < 90_000 ? 900 : 0)),
        /1 lower step had trouble .* no matter of the rate/,
      ],
      'a slow but constant service': [
        () => serviceThat((outcome) => delayed(outcome, 3000)),
        /3000 ms at the lowest rate and 3000 ms at the highest/,
      ],
    },
    fail: {
      'slow above a rate': [
        () => above(1.6, (outcome) => delayed(outcome, 1200)),
        /trouble at 1\.8 requests\/s, after 1\.35 requests\/s held\. The median latency was 1\d{3} ms/,
      ],
      'slow above a rate, one key': [
        () => ({ fleet: 1, ...above(0.7, (outcome) => delayed(outcome, 1200)) }),
        /trouble at 0\.6 requests\/s, after 0\.45 requests\/s held\. .* at the lowest rate\./,
      ],
      'three of four responses slow above a rate': [
        () => {
          let n = 0;
          return above(1.6, (outcome) => {
            n += 1;
            return n % 4 === 0 ? outcome : delayed(outcome, 1200);
          });
        },
        /trouble at 1\.8 requests\/s, after 1\.35 requests\/s held/,
      ],
      'silent above a rate': [
        () => hangsAbove(1.6),
        /trouble at 1\.\d+ requests\/s, after 1\.35 requests\/s held\. The target stopped responding/,
      ],
      '503 above a rate': [
        () => above(2.1, unavailable),
        /trouble at 2\.25 requests\/s, .*\. The target returns server errors/,
      ],
    },
    inconclusive: {
      'a plan too small to compare latencies': [
        () => ({
          fleet: 1,
          plan: 'tiny',
          plans: { minuteSeconds: 60, daySeconds: 86_400, plans: { tiny: { perMinute: 5, perDay: 1000 } } },
        }),
        /without errors\. Its latency was not judged: that needs 10 responses/,
      ],
    },
  },
};

describe('a service that degrades under load', () => {
  for (const [profile, id] of Object.entries(ABOUT))
    for (const [verdict, runs] of Object.entries(rows[profile as keyof typeof ABOUT]))
      for (const [name, [conditions, because]] of Object.entries(runs))
        test(`${profile}, ${name}: ${verdict}`, async () => {
          const { record } = await virtualLoad({ profile, ...conditions() });
          const finding = record.requirements.find((one) => one.id === id);
          assert.equal(finding?.verdict, verdict, finding?.because);
          assert.match(finding?.because ?? '', because);
          assert.ok((record.phases ?? []).length > 1, 'the report shows phases');
        });
});
