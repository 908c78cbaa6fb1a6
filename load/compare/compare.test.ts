import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFindingOf, loadRun } from '../../evaluation/testing/reports/load-runs.ts';
import type { Finding, LoadRecord } from '../../kernel/findings/record.ts';
import type { LoadComparison } from './compare.ts';
import { compareLoads } from './compare.ts';
import type { FigureChange } from './measures.ts';

const latencyMs = { count: 200, min: 1, p50: 20, p90: 50, p99: 100, p999: 120, max: 130 };
const base: LoadRecord = { ...loadRun('http://127.0.0.1/v1', 'conforms').record, latencyMs };

const compared = (b: Partial<LoadRecord>, tolerance = 0.1): LoadComparison =>
  compareLoads([base], [{ ...base, ...b }], tolerance);

const finding = (verdict: 'fail' | 'inconclusive'): readonly Finding[] =>
  base.requirements.map((one) => (one.id === 'RATE-LIMITED' ? loadFindingOf(one.id, verdict, 'x') : one));

const keys = (accepted: number, rateLimited: number, failed: number): LoadRecord['keys'] =>
  base.keys.map((one) => (one.key === 'key' ? { ...one, accepted, rateLimited, failed } : one));

const rows: readonly (readonly [
  name: string,
  outcome: LoadComparison['outcome'],
  b: Partial<LoadRecord>,
  figure?: string,
  change?: FigureChange,
])[] = [
  ['the same run', 'not worse', {}],
  [
    'latencies within the tolerance',
    'not worse',
    { latencyMs: { ...latencyMs, p50: 21.9, p90: 54, p99: 109 } },
  ],
  ['a slower median', 'not worse', { latencyMs: { ...latencyMs, p50: 23 } }, 'latency p50', 'differs'],
  ['slower tails', 'not worse', { latencyMs: { ...latencyMs, p99: 140 } }, 'latency p99', 'differs'],
  ['a faster one', 'not worse', { latencyMs: { ...latencyMs, p50: 10 } }, 'latency p50', 'differs'],
  [
    'an expectation that fails now',
    'worse',
    { outcome: 'violates', requirements: finding('fail') },
    'RATE-LIMITED',
    'worse',
  ],
  [
    'one that is inconclusive now',
    'undecided',
    { outcome: 'incomplete', requirements: finding('inconclusive') },
    'RATE-LIMITED',
    'inconclusive',
  ],
  ['fewer accepted', 'not worse', { keys: keys(50, 11, 1) }, 'accepted', 'differs'],
  ['a few fewer accepted', 'not worse', { keys: keys(58, 3, 1) }, 'accepted', 'same'],
  ['more that fail', 'not worse', { keys: keys(53, 1, 8) }, 'failed', 'differs'],
  [
    'another machine',
    'undecided',
    { environment: { ...base.environment, cpus: 8 } },
    'latency p50',
    'inconclusive',
  ],
  [
    'another k6',
    'undecided',
    { environment: { ...base.environment, k6: '2.3.0' } },
    'latency p50',
    'inconclusive',
  ],
  ['another profile', 'undecided', { profile: 'under' }, 'outcome', 'inconclusive'],
  ['other limits', 'undecided', { limits: { ...base.limits, perMinute: 300 } }, 'outcome', 'inconclusive'],
  [
    'a run that stopped early',
    'undecided',
    { ended: { how: 'interrupted', because: 'Ctrl-C.' } },
    'outcome',
    'inconclusive',
  ],
  [
    'a run that failed before it stopped early',
    'worse',
    { ended: { how: 'stopped', because: 'Banned.' }, outcome: 'violates', requirements: finding('fail') },
    'outcome',
    'inconclusive',
  ],
  ['no response', 'undecided', { latencyMs: null }, 'latency p50', 'inconclusive'],
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
      requirements: finding('fail'),
    } as const;
    assert.equal(compared(b).outcome, 'worse');
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
