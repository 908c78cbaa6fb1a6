import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadRun } from '../../evaluation/testing/reports/load-runs.ts';
import type { LoadFinding, LoadRecord } from '../model/record.ts';
import type { Change, Comparison } from './compare.ts';
import { compareLoads } from './compare.ts';

const latencyMs = { count: 200, min: 1, p50: 20, p90: 50, p99: 100, p999: 120, max: 130 };
const base: LoadRecord = { ...loadRun('http://127.0.0.1/v1', 'pass').record, latencyMs };

const compared = (b: Partial<LoadRecord>, tolerance = 0.1): Comparison =>
  compareLoads(base, { ...base, ...b }, tolerance);

const finding = (verdict: LoadFinding['verdict']): readonly LoadFinding[] =>
  base.findings.map((one) => (one.id === 'RATE-LIMITED' ? { ...one, verdict } : one));

const keys = (accepted: number, rateLimited: number, failed: number): LoadRecord['keys'] =>
  base.keys.map((one) => (one.key === 'key' ? { ...one, accepted, rateLimited, failed } : one));

const rows: readonly (readonly [
  says: string,
  outcome: Comparison['outcome'],
  b: Partial<LoadRecord>,
  what?: string,
  change?: Change,
])[] = [
  ['the same run', 'none', {}],
  ['latencies within the tolerance', 'none', { latencyMs: { ...latencyMs, p50: 21.9, p90: 54, p99: 109 } }],
  ['a slower middle', 'regression', { latencyMs: { ...latencyMs, p50: 23 } }, 'latency, half', 'worse'],
  ['slower tails', 'regression', { latencyMs: { ...latencyMs, p99: 140 } }, 'latency, 99 %', 'worse'],
  ['a faster one', 'none', { latencyMs: { ...latencyMs, p50: 10 } }, 'latency, half', 'better'],
  [
    'an expectation that fails now',
    'regression',
    { verdict: 'fail', findings: finding('fail') },
    'RATE-LIMITED',
    'worse',
  ],
  [
    'one that is inconclusive now',
    'inconclusive',
    { verdict: 'inconclusive', findings: finding('inconclusive') },
    'RATE-LIMITED',
    'inconclusive',
  ],
  ['fewer accepted', 'regression', { keys: keys(50, 11, 1) }, 'accepted', 'worse'],
  ['a few less accepted', 'none', { keys: keys(58, 3, 1) }, 'accepted', 'same'],
  ['more that fail', 'regression', { keys: keys(53, 1, 8) }, 'failed', 'worse'],
  [
    'another machine',
    'inconclusive',
    { environment: { ...base.environment, cpus: 8 } },
    'latency, half',
    'inconclusive',
  ],
  [
    'another k6',
    'inconclusive',
    { environment: { ...base.environment, k6: '2.3.0' } },
    'latency, 99 %',
    'inconclusive',
  ],
  ['another profile', 'inconclusive', { profile: 'under' }, 'verdict', 'inconclusive'],
  ['other limits', 'inconclusive', { limits: { ...base.limits, perMinute: 300 } }, 'verdict', 'inconclusive'],
  [
    'a run cut short',
    'inconclusive',
    { ended: { how: 'interrupted', because: 'Ctrl-C.' } },
    'verdict',
    'inconclusive',
  ],
  [
    'a run that failed before it was cut short',
    'regression',
    { ended: { how: 'stopped', because: 'Banned.' }, verdict: 'fail', findings: finding('fail') },
    'verdict',
    'inconclusive',
  ],
  ['nothing answered', 'inconclusive', { latencyMs: null }, 'latency', 'inconclusive'],
];

describe('a second run beside the first', () => {
  for (const [says, outcome, b, what, change] of rows) {
    test(`${says}: ${outcome}`, () => {
      const comparison = compared(b);
      assert.equal(comparison.outcome, outcome);
      if (what !== undefined)
        assert.equal(comparison.figures.find((one) => one.what === what)?.change, change);
    });
  }

  test('a regression stands even where latencies cannot be compared', () => {
    const b = {
      environment: { ...base.environment, cpus: 8 },
      verdict: 'fail',
      findings: finding('fail'),
    } as const;
    assert.equal(compared(b).outcome, 'regression');
  });

  test('differences of less than a millisecond are nobody’s doing', () => {
    const a = { ...base, latencyMs: { ...latencyMs, p50: 0.2 } };
    assert.equal(compareLoads(a, { ...base, latencyMs: { ...latencyMs, p50: 1.1 } }, 0.1).outcome, 'none');
  });

  test('a percentile of too few answers is left out', () => {
    const few = { ...base, latencyMs: { ...latencyMs, count: 60 } };
    const told = compareLoads(few, few, 0.1).figures.map(({ what }) => what);
    assert.ok(told.includes('latency, 90 %') && !told.includes('latency, 99 %'));
  });

  test('what differs is said', () => {
    const { remarks } = compared({
      environment: { ...base.environment, k6: '2.3.0' },
      target: { ...base.target, baseUrl: 'http://127.0.0.1:1/v1' },
    });
    assert.match(remarks.join('\n'), /The k6 differs: 2\.2\.0, and 2\.3\.0\./);
    assert.match(remarks.join('\n'), /The targets differ/);
  });
});
