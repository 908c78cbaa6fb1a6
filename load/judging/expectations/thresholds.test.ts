import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scheduled } from '../../../evaluation/testing/load/rows.ts';
import type { StagedRun } from '../../../evaluation/testing/load/runs.ts';
import { countdown, judgeLoad, runOf } from '../../../evaluation/testing/load/runs.ts';
import { troubleText } from '../../../kernel/basics/shape.ts';
import type { Threshold } from '../../../kernel/findings/load.ts';
import type { Verdict } from '../../../kernel/findings/record.ts';
import { thresholdsShape } from '../../model/profile.ts';

/** A hundred requests in ten seconds, of which this many get a status. */
const failing = (count: number, status: number): StagedRun => ({
  scenarios: [['key', [{ kind: 'burst', requests: 100, concurrency: 1 }]]],
  samples: Array.from({ length: 100 }, (_, i) => ({
    at: i * 100,
    ...(i > 0 && i <= count ? { status } : {}),
  })),
});

/** Twenty lists and twenty creations, which are slower. */
const slowCreations: StagedRun = {
  scenarios: [['key', [{ kind: 'burst', requests: 40, concurrency: 1 }]]],
  samples: Array.from({ length: 40 }, (_, i) => ({
    at: i * 1000,
    ...(i % 2 === 0 ? {} : { operation: 'create', status: 201, took: 900 }),
  })),
};

type Row = readonly [Threshold, Verdict, StagedRun, because: RegExp];

const rows: readonly Row[] = [
  [{ p50: 50 }, 'pass', scheduled(20), /^The p50 of 20 responses is 10\.0 ms; the threshold is 50 ms\.$/],
  [{ p95: 5 }, 'fail', scheduled(20), /a p95 of at most 5 ms, but received 10\.0 ms in 20 responses\./],
  [{ p95: 50 }, 'inconclusive', scheduled(20, 200), /only 10\.0 ms from the actual send time: this machine/],
  [{ p95: 10 }, 'inconclusive', scheduled(20, 200), /only 10\.0 ms from the actual send time: this machine/],
  [{ operation: 'list', p95: 50 }, 'pass', slowCreations, /of 20 responses/],
  [{ p50: 50 }, 'pass', scheduled(2000), /^The p50 of 2,000 responses is 10\.0 ms/],
  [{ p99: 50 }, 'pass', scheduled(1), /^The slowest of 1 response took 10\.0 ms/],
  [{ p95: 50 }, 'fail', slowCreations, /a p95 of at most 50 ms, but received 900\.0 ms in 40 responses/],
  [{ p99: 5 }, 'fail', scheduled(100), /received 10\.0 ms in 100 responses/],
  [
    { p99: 5 },
    'inconclusive',
    scheduled(99),
    /^The slowest of 99 responses took .* A p99 needs 100 responses/,
  ],
  [{ p99: 50 }, 'pass', scheduled(4), /^The slowest of 4 responses took 10\.0 ms; the threshold of the p99/],
  [{ p99: 50 }, 'inconclusive', { ...scheduled(3), samples: [] }, /has none of all requests/],
  [{ operation: 'create', p99: 50 }, 'inconclusive', scheduled(20), /none of requests that create/],
  [{ operation: 'list', p95: 50 }, 'pass', scheduled(20), /of 20 responses/],
  [{ errorRate: 0.05 }, 'pass', failing(5, 503), /^5 of 100 requests got a 5xx or no response \(5 %\)/],
  [{ errorRate: 0.05 }, 'pass', scheduled(20, 300), /^0 of 20 requests/],
  [{ errorRate: 0.05 }, 'fail', failing(6, 503), /received 6 of 100/],
  [{ errorRate: 0 }, 'pass', failing(6, 429), /^0 of 100/],
  [
    { minimumRate: 9 },
    'pass',
    failing(0, 200),
    /^100 of 100 requests were accepted in 9\.9 s, which is 10\.1/,
  ],
  [{ minimumRate: 9 }, 'fail', failing(20, 429), /received 8\.07 \(80 of 100 requests in 9\.9 s\)/],
  [{ minimumRate: 1000 }, 'inconclusive', scheduled(20), /plans only \S+ in a second/],
  [{ minimumRate: 100 }, 'inconclusive', scheduled(100), /plans only 2\.\d+ in a second/],
  [{ minimumRate: 1000 }, 'inconclusive', scheduled(2), /plans only \S+ in a second/],
  [{ minimumRate: 1000 }, 'inconclusive', scheduled(20, 300), /this machine was too busy/],
  [
    { minimumRate: 1 },
    'inconclusive',
    { ...scheduled(20), samples: countdown(1, 9) },
    /too short for a rate|planned requests were sent/,
  ],
];

describe('thresholds of a user', () => {
  for (const [threshold, verdict, staged, because] of rows)
    test(`${JSON.stringify(threshold)}: ${verdict}, ${because}`, () => {
      const findings = judgeLoad({ ...runOf([], staged), thresholds: [threshold] }).record.requirements;
      assert.equal(findings.length, 1);
      assert.equal(findings[0]?.id, 'THRESHOLD-1');
      assert.equal(findings[0]?.verdict, verdict, findings[0]?.because);
      assert.match(findings[0]?.because ?? '', because);
    });
});

test('each quantity is an expectation of its own, and thresholds of other profiles are left out', () => {
  const thresholds: readonly Threshold[] = [
    { p50: 50, p95: 5 },
    { profile: 'soak', errorRate: 0 },
    { profile: 'smoke', operation: 'list', errorRate: 0.01 },
  ];
  const { record } = judgeLoad({ ...runOf(['SENT'], scheduled(20)), thresholds });
  assert.deepEqual(
    record.requirements.map(({ id, verdict }) => `${id} ${verdict}`),
    ['SENT pass', 'THRESHOLD-1 pass', 'THRESHOLD-2 fail', 'THRESHOLD-3 pass'],
  );
  assert.equal(record.outcome, 'violates');
  assert.deepEqual(record.thresholds, [thresholds[0], thresholds[2]]);
});

test('what is not a list of thresholds is named in one clause', () => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /^the list must be a list$/],
    [[], /^the list must have at least 1 entry$/],
    [[5], /^\[0\] must be an object$/],
    [
      [{ p99: 1 }, { p98: 1 }],
      /^\[1\] has "p98" \(did you mean "p95"\?\); it may have profile, operation, p50/,
    ],
    [[{ profile: 5, p99: 1 }], /^\[0\]\.profile must be the id of a profile$/],
    [[{ operation: 'delete', p99: 1 }], /^\[0\]\.operation must be one of "list", "create"$/],
    [[{ profile: 'soak' }], /^\[0\] bounds nothing/],
    [[{ p99: 0 }], /^\[0\]\.p99 must be a number above 0$/],
    [[{ p99: '5' }], /^\[0\]\.p99 must be a number/],
    [[{ errorRate: 1.5 }], /^\[0\]\.errorRate must be a number from 0 to 1$/],
  ];
  for (const [value, clause] of wrong) assert.match(troubleText(value, thresholdsShape, 'the list'), clause);
  assert.ok(thresholdsShape.is([{ profile: 'soak', p99: 1, errorRate: 0 }]));
});
