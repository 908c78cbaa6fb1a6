import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scheduled } from '../../../evaluation/testing/load/rows.ts';
import type { StagedRun } from '../../../evaluation/testing/load/runs.ts';
import { countdown, judgeLoad, runOf } from '../../../evaluation/testing/load/runs.ts';
import { assertPage } from '../../../evaluation/testing/tools/page.ts';
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

const rows: readonly (readonly [Threshold, Verdict, StagedRun])[] = [
  [{ p95: 10 }, 'inconclusive', scheduled(20, 200)],
  [{ operation: 'list', p95: 50 }, 'pass', slowCreations],
  [{ p50: 50 }, 'pass', scheduled(2000)],
  [{ p99: 50 }, 'pass', scheduled(1)],
  [{ p95: 50 }, 'fail', slowCreations],
  [{ p99: 5 }, 'inconclusive', scheduled(99)],
  [{ p99: 50 }, 'inconclusive', { ...scheduled(3), samples: [] }],
  [{ operation: 'create', p99: 50 }, 'inconclusive', scheduled(20)],
  [{ errorRate: 0.05 }, 'pass', failing(5, 503)],
  [{ errorRate: 0.05 }, 'pass', scheduled(20, 300)],
  [{ errorRate: 0.05 }, 'fail', failing(6, 503)],
  [{ minimumRate: 9 }, 'pass', failing(0, 200)],
  [{ minimumRate: 9 }, 'fail', failing(20, 429)],
  [{ minimumRate: 1000 }, 'inconclusive', scheduled(20)],
  [{ minimumRate: 1000 }, 'inconclusive', scheduled(20, 300)],
  [{ minimumRate: 1 }, 'inconclusive', { ...scheduled(20), samples: countdown(1, 9) }],
];

describe('thresholds of a user', () => {
  const reasons: string[] = [];
  for (const [threshold, verdict, staged] of rows) {
    const name = `${JSON.stringify(threshold)}: ${verdict}`;
    test(name, () => {
      const findings = judgeLoad({ ...runOf([], staged), thresholds: [threshold] }).record.requirements;
      assert.deepEqual(
        findings.map((one) => [one.id, one.verdict]),
        [['THRESHOLD-1', verdict]],
      );
      reasons.push(`${name}\n  ${findings[0]?.because}`);
    });
  }

  test('each has the reason that it is known to have', () =>
    assertPage('load/judging/expectations/thresholds.txt', `${reasons.join('\n')}\n`));
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
