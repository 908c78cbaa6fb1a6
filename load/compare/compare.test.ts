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

const rows: Readonly<
  Record<
    string,
    readonly [
      b: Partial<LoadRecord>,
      outcome: LoadComparison['outcome'],
      found?: `${string}: ${FigureChange}`,
    ]
  >
> = {
  'the same run': [{}, 'not worse'],
  'latencies within the tolerance': [
    { latencyMs: { ...latencyMs, p50: 21.9, p90: 54, p99: 109 } },
    'not worse',
  ],
  'a median slower by the tolerance': [
    { latencyMs: { ...latencyMs, p50: 22 } },
    'not worse',
    'latency p50: same',
  ],
  'a slower median': [{ latencyMs: { ...latencyMs, p50: 23 } }, 'not worse', 'latency p50: differs'],
  'slower tails': [{ latencyMs: { ...latencyMs, p99: 140 } }, 'not worse', 'latency p99: differs'],
  'a faster one': [{ latencyMs: { ...latencyMs, p50: 10 } }, 'not worse', 'latency p50: differs'],
  'an expectation that fails now': [
    { outcome: 'violates', requirements: finding('fail') },
    'worse',
    'RATE-LIMITED: worse',
  ],
  'one that is inconclusive now': [
    { outcome: 'incomplete', requirements: finding('inconclusive') },
    'undecided',
    'RATE-LIMITED: inconclusive',
  ],
  'fewer accepted': [{ keys: keys(50, 11, 1) }, 'not worse', 'accepted: differs'],
  'a few fewer accepted': [{ keys: keys(58, 3, 1) }, 'not worse', 'accepted: same'],
  'more that fail': [{ keys: keys(53, 1, 8) }, 'not worse', 'failed: differs'],
  'another machine': [
    { environment: { ...base.environment, cpus: 8 } },
    'undecided',
    'latency p50: inconclusive',
  ],
  'another k6': [
    { environment: { ...base.environment, k6: '2.3.0' } },
    'undecided',
    'latency p50: inconclusive',
  ],
  'another profile': [{ profile: 'under' }, 'undecided', 'outcome: inconclusive'],
  'other limits': [{ limits: { ...base.limits, perMinute: 300 } }, 'undecided', 'outcome: inconclusive'],
  'a run that stopped early': [
    { ended: { how: 'interrupted', because: 'Ctrl-C.' } },
    'undecided',
    'outcome: inconclusive',
  ],
  'a run that failed before it stopped early': [
    { ended: { how: 'stopped', because: 'Banned.' }, outcome: 'violates', requirements: finding('fail') },
    'worse',
    'outcome: inconclusive',
  ],
  'no response': [{ latencyMs: null }, 'undecided', 'latency p50: inconclusive'],
};

describe('a second run compared with the first', () => {
  for (const [name, [b, outcome, stated]] of Object.entries(rows)) {
    test(`${name}: ${outcome}`, () => {
      const comparison = compared(b);
      assert.equal(comparison.outcome, outcome);
      const changes = comparison.figures.map(({ figure, change }) => `${figure}: ${change}`);
      assert.ok(stated === undefined || changes.includes(stated), changes.join());
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

  test('differences of a millisecond and less are noise', () => {
    const withMedian = (p50: number): LoadRecord => ({ ...base, latencyMs: { ...latencyMs, p50 } });
    const changes = [1.1, 1.25].map((p50) =>
      compareLoads([withMedian(0.2)], [withMedian(p50)], 0.1).figures.find(
        ({ figure }) => figure === 'latency p50',
      ),
    );
    assert.deepEqual(
      changes.map((one) => one?.change),
      ['same', 'differs'],
    );
  });

  test('a percentile of too few responses is omitted', () => {
    const figuresOf = (count: number): readonly string[] => {
      const few = { ...base, latencyMs: { ...latencyMs, count } };
      return compareLoads([few], [few], 0.1).figures.map(({ figure }) => figure);
    };
    assert.ok(figuresOf(99).includes('latency p90') && !figuresOf(99).includes('latency p99'));
    assert.ok(figuresOf(100).includes('latency p99'));
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
