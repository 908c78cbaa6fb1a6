import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadRun } from '../../evaluation/testing/reports/load-runs.ts';
import type { LoadFinding, LoadRecord } from '../model/record.ts';
import type { LoadComparison } from './compare.ts';
import { compareLoads } from './compare.ts';
import type { FigureChange } from './compared-figure.ts';

const latencyMs = { count: 200, min: 1, p50: 20, p90: 50, p99: 100, p999: 120, max: 130 };
const base: LoadRecord = { ...loadRun('http://127.0.0.1/v1', 'pass').record, latencyMs };

const compared = (b: Partial<LoadRecord>, tolerance = 0.1): LoadComparison =>
  compareLoads([base], [{ ...base, ...b }], tolerance);

const finding = (verdict: LoadFinding['verdict']): readonly LoadFinding[] =>
  base.findings.map((one) => (one.id === 'RATE-LIMITED' ? { ...one, verdict } : one));

const keys = (accepted: number, rateLimited: number, failed: number): LoadRecord['keys'] =>
  base.keys.map((one) => (one.key === 'key' ? { ...one, accepted, rateLimited, failed } : one));

const rows: readonly (readonly [
  name: string,
  outcome: LoadComparison['outcome'],
  b: Partial<LoadRecord>,
  figure?: string,
  change?: FigureChange,
])[] = [
  ['the same run', 'none', {}],
  ['latencies within the tolerance', 'none', { latencyMs: { ...latencyMs, p50: 21.9, p90: 54, p99: 109 } }],
  ['a slower median', 'none', { latencyMs: { ...latencyMs, p50: 23 } }, 'latency p50', 'differs'],
  ['slower tails', 'none', { latencyMs: { ...latencyMs, p99: 140 } }, 'latency p99', 'differs'],
  ['a faster one', 'none', { latencyMs: { ...latencyMs, p50: 10 } }, 'latency p50', 'differs'],
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
  ['fewer accepted', 'none', { keys: keys(50, 11, 1) }, 'accepted', 'differs'],
  ['a few fewer accepted', 'none', { keys: keys(58, 3, 1) }, 'accepted', 'same'],
  ['more that fail', 'none', { keys: keys(53, 1, 8) }, 'failed', 'differs'],
  [
    'another machine',
    'inconclusive',
    { environment: { ...base.environment, cpus: 8 } },
    'latency p50',
    'inconclusive',
  ],
  [
    'another k6',
    'inconclusive',
    { environment: { ...base.environment, k6: '2.3.0' } },
    'latency p50',
    'inconclusive',
  ],
  ['another profile', 'inconclusive', { profile: 'under' }, 'verdict', 'inconclusive'],
  ['other limits', 'inconclusive', { limits: { ...base.limits, perMinute: 300 } }, 'verdict', 'inconclusive'],
  [
    'a run that stopped early',
    'inconclusive',
    { ended: { how: 'interrupted', because: 'Ctrl-C.' } },
    'verdict',
    'inconclusive',
  ],
  [
    'a run that failed before it stopped early',
    'regression',
    { ended: { how: 'stopped', because: 'Banned.' }, verdict: 'fail', findings: finding('fail') },
    'verdict',
    'inconclusive',
  ],
  ['no response', 'inconclusive', { latencyMs: null }, 'latency p50', 'inconclusive'],
];

describe('a second run compared with the first', () => {
  for (const [name, outcome, b, figure, change] of rows) {
    test(`${name}: ${outcome}`, () => {
      const comparison = compared(b);
      assert.equal(comparison.outcome, outcome);
      if (figure !== undefined)
        assert.equal(comparison.figures.find((one) => one.figure === figure)?.change, change);
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

  test('differences of less than a millisecond are noise', () => {
    const a = { ...base, latencyMs: { ...latencyMs, p50: 0.2 } };
    assert.equal(
      compareLoads([a], [{ ...base, latencyMs: { ...latencyMs, p50: 1.1 } }], 0.1).figures.find(
        ({ figure }) => figure === 'latency p50',
      )?.change,
      'same',
    );
  });

  test('a percentile of too few responses is omitted', () => {
    const few = { ...base, latencyMs: { ...latencyMs, count: 60 } };
    const figures = compareLoads([few], [few], 0.1).figures.map(({ figure }) => figure);
    assert.ok(figures.includes('latency p90') && !figures.includes('latency p99'));
  });

  test('differences are reported', () => {
    const { remarks } = compared({
      environment: { ...base.environment, k6: '2.3.0' },
      target: { ...base.target, baseUrl: 'http://127.0.0.1:1/v1' },
    });
    assert.match(remarks.join('\n'), /The k6 differs: 2\.2\.0 and 2\.3\.0\./);
    assert.match(remarks.join('\n'), /The targets differ/);
  });
});
