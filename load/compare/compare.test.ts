import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFindingOf, loadRun } from '../../evaluation/testing/reports/load-runs.ts';
import { seededBy } from '../../evaluation/testing/suites/limiters.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';
import type { Finding, LoadRecord } from '../../kernel/findings/record.ts';
import type { LoadComparison } from './compare.ts';
import { compareLoads } from './compare.ts';
import { chancesOfHigherRanks, waysToChoose } from './permutation-test.ts';
import { foundEffect, leastRuns, runsToDecide, shareOfHigher } from './repetitions.ts';

const base = loadRun('http://127.0.0.1/v1', 'conforms').record;

/** A run in which one expectation ends so. */
const withVerdict = (one: LoadRecord, verdict: 'fail' | 'inconclusive'): LoadRecord => ({
  ...one,
  requirements: one.requirements.map(
    (finding): Finding => (finding.id === 'RATE-LIMITED' ? loadFindingOf(finding.id, verdict, 'x') : finding),
  ),
});

/** A run with this median latency, whose tails follow it; a failed expectation; and how late it was sent. */
const run = (p50: number, { fails = false, delay = 0 } = {}): LoadRecord => ({
  ...base,
  latencyMs: { count: 200, min: 1, p50, p90: 2 * p50, p99: 3 * p50, p999: 4 * p50, max: 5 * p50 },
  scheduleDelayMs: { p50: delay, p99: delay, max: delay },
  requirements: (fails ? withVerdict(base, 'fail') : base).requirements,
});

/** So many runs whose medians lie closely around this one. */
const runs = (count: number, p50: number, more: Parameters<typeof run>[1] = {}): readonly LoadRecord[] =>
  Array.from({ length: count }, (_, i) => run(p50 * (1 + 0.01 * i), more));

/** Six runs of sixty planned requests, of which the key under test had about so many accepted. */
const accepting = (accepted: number): readonly LoadRecord[] =>
  runs(6, 20).map((one, i) => ({
    ...one,
    keys: one.keys.map((count) =>
      count.key === 'key' ? { ...count, planned: 55, accepted: accepted + i } : count,
    ),
  }));

const flaky = (count: number, fails: number): readonly LoadRecord[] =>
  Array.from({ length: count }, (_, i) => run(20 + i / 10, { fails: i < fails }));

/** The run, as if it had begun in this minute. */
const begunAt = (one: LoadRecord, minute: number): LoadRecord => ({
  ...one,
  startedAt: new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString(),
});

/** Two sets as if their runs had been recorded in turn. */
const inTurn = (first: readonly LoadRecord[], second: readonly LoadRecord[]): Sets => [
  first.map((one, i) => begunAt(one, 2 * i)),
  second.map((one, i) => begunAt(one, 2 * i + 1)),
];

/** Equal sets whose runs began in these minutes; in each of the second an expectation may fail. */
const inMinutes = (first: readonly number[], second: readonly number[], fails = false): Sets => [
  first.map((minute) => begunAt(run(20), minute)),
  second.map((minute) => begunAt(run(20, { fails }), minute)),
];

/** Six runs, or so many, of which so many of 19 requests are slow; all later by so much, with so much spread. */
const slowPath = (slow: number, { length = 6, byMs = 0, spread = 1 } = {}): readonly LoadRecord[] =>
  Array.from({ length }, (_, i) => {
    const twentieths = Array.from(
      { length: 19 },
      (_one, at) => (at < 19 - slow ? 10 : 60) + byMs + spread * (at / 10 + i / 100),
    );
    const p50 = twentieths[9] ?? 0;
    return { ...base, latencyMs: { count: 8, min: 1, p50, p90: 70, p99: 70, p999: 70, max: 70, twentieths } };
  });

type Sets = readonly [first: readonly LoadRecord[], second: readonly LoadRecord[]];

const latencyMs = { count: 200, min: 1, p50: 20, p90: 50, p99: 100, p999: 120, max: 130 };
const one: LoadRecord = { ...base, latencyMs };

/** A single run, and one that differs from it in this. */
const single = (second: Partial<LoadRecord>): Sets => [[one], [{ ...one, ...second }]];

/** Two runs with these latencies, by what is special about each. */
const latencies = (first: Partial<typeof latencyMs>, second = first): Sets => [
  [{ ...one, latencyMs: { ...latencyMs, ...first } }],
  [{ ...one, latencyMs: { ...latencyMs, ...second } }],
];
const requirements = (verdict: 'fail' | 'inconclusive') => withVerdict(one, verdict).requirements;
const counting = (accepted: number, rateLimited: number, failed: number): Sets =>
  single({
    keys: one.keys.map((count) =>
      count.key === 'key' ? { ...count, accepted, rateLimited, failed } : count,
    ),
  });

/** What is compared, by what comes out; the page has the figures. */
const rows: Readonly<Record<LoadComparison['outcome'], Readonly<Record<string, Sets>>>> = {
  'not worse': {
    'the same set': inTurn(runs(6, 20), runs(6, 20)),
    'slower by less than the tolerance': inTurn(runs(6, 20), runs(6, 21.5)),
    'faster in every run': inTurn(runs(6, 30), runs(6, 20)),
    'fewer accepted, by no more than the tolerance': inTurn(accepting(46), accepting(40)),
    'a few fewer accepted': inTurn(accepting(46), accepting(42)),
    'more accepted in every run': inTurn(accepting(26), accepting(46)),
    'more accepted, by no more than the tolerance': inTurn(accepting(40), accepting(46)),
    'an expectation that is inconclusive no more': inTurn(
      runs(6, 20).map((each) => withVerdict(each, 'inconclusive')),
      runs(6, 20),
    ),
    'one that failed before as well': inTurn(flaky(6, 3), flaky(6, 3)),
    'one that fails no more': inTurn(flaky(6, 6), flaky(6, 0)),
    'of two runs, the same': single({}),
    'of two runs, latencies within the tolerance': latencies({}, { p50: 21.9, p90: 54, p99: 109 }),
    'of two runs, a median slower by the tolerance': latencies({}, { p50: 22 }),
    'of two runs, a slower median': latencies({}, { p50: 23 }),
    'of two runs, slower tails': latencies({}, { p99: 140 }),
    'of two runs, a faster one': latencies({}, { p50: 10 }),
    'of two runs, fewer accepted': counting(50, 11, 1),
    'of two runs, a few fewer accepted': counting(58, 3, 1),
    'of two runs, more that fail': counting(53, 1, 8),
    'of two runs, a median slower by 0.9 ms': latencies({ p50: 0.2 }, { p50: 1.1 }),
    'of two runs, a median slower by 1.05 ms': latencies({ p50: 0.2 }, { p50: 1.25 }),
    'of two runs, 99 responses each': latencies({ count: 99 }),
    'of two runs, 100 responses each': latencies({ count: 100 }),
    'of two runs, more requests on a slow path': [slowPath(1, { length: 1 }), slowPath(7, { length: 1 })],
    'in turn, the second pair the other way round': inMinutes([0, 3, 4], [1, 2, 5]),
    'in turn, the last pair the other way round': inMinutes([0, 2, 5], [1, 3, 4]),
    'a twentieth more on a slow path': inTurn(slowPath(1), slowPath(2)),
    'a slow path that is later by less than a tenth': inTurn(slowPath(19), slowPath(19, { byMs: 4 })),
    'a distribution beside a set of an earlier version, without one': inTurn(slowPath(1), runs(6, 11)),
    'of two runs, other targets': single({ target: { ...one.target, baseUrl: 'http://127.0.0.1:1/v1' } }),
  },
  worse: {
    'slower in every run': inTurn(runs(6, 20), runs(6, 30)),
    'slower by more than this machine sent later': inTurn(runs(6, 20), runs(6, 50, { delay: 10 })),
    'fewer accepted in every run': inTurn(accepting(46), accepting(26)),
    'fewer accepted, by one more than the tolerance': inTurn(accepting(46), accepting(39)),
    'an expectation that fails in every run': inTurn(flaky(2, 0), flaky(2, 2)),
    'one that fails in most runs': inTurn(flaky(8, 0), flaky(8, 7)),
    'an expectation that fails in every run, not in turn': inMinutes([0, 1, 2], [3, 4, 5], true),
    'a third of the requests on a slow path': inTurn(slowPath(1), slowPath(7)),
    'a third of them, of latencies in whole tens': inTurn(
      slowPath(1, { spread: 0 }),
      slowPath(7, { spread: 0 }),
    ),
    'a slow path that is later by more than a tenth': inTurn(slowPath(19), slowPath(19, { byMs: 9 })),
    'of two runs, an expectation that fails now': single({ requirements: requirements('fail') }),
    'of two runs, one that failed before it stopped early': single({
      ended: { how: 'stopped', because: 'Banned.' },
      requirements: requirements('fail'),
    }),
    'of two runs of different machines, an expectation that fails now': single({
      environment: { ...one.environment, cpus: 8 },
      requirements: requirements('fail'),
    }),
  },
  undecided: {
    'one run against two slower ones': inTurn(runs(1, 20), runs(2, 30)),
    'three runs against nine alike': inTurn(accepting(46).slice(3), [
      ...accepting(46),
      ...accepting(46).slice(3),
    ]),
    'slower in every run, of too few': inTurn(runs(3, 20), runs(3, 30)),
    'equal, of too few': inTurn(runs(3, 20), runs(3, 20)),
    'slower in most runs, with noise': inTurn(
      [20, 20, 21, 22, 40, 41].map((each) => run(each)),
      [21, 24, 26, 27, 42, 44].map((each) => run(each)),
    ),
    'slower as this machine sent later': inTurn(runs(6, 20), runs(6, 30, { delay: 30 })),
    'an expectation that fails now and then': inTurn(flaky(6, 0), flaky(6, 2)),
    'one that passes, fails and is inconclusive': inTurn(flaky(3, 0), [
      run(20),
      withVerdict(run(20), 'fail'),
      withVerdict(run(20), 'inconclusive'),
    ]),
    'one set after the other': inMinutes([0, 1, 2], [3, 4, 5]),
    'one run after a set': inMinutes([0, 1], [2]),
    'two of one set, then two of the other': inMinutes([0, 1, 4], [2, 3, 5]),
    'a third of the requests on a slow path, of too few': inTurn(
      slowPath(1, { length: 5 }),
      slowPath(7, { length: 5 }),
    ),
    'one run against two with a third on a slow path': inTurn(
      slowPath(1, { length: 1 }),
      slowPath(7, { length: 2 }),
    ),
    'sets of different sizes, of which one run did not finish': [
      runs(4, 20),
      [...runs(5, 20), { ...run(20), ended: { how: 'interrupted', because: 'Ctrl-C.' } }],
    ],
    'of two runs, an expectation that is inconclusive now': single({
      requirements: requirements('inconclusive'),
    }),
    'of two runs, another machine': single({ environment: { ...one.environment, cpus: 8 } }),
    'of two runs, another k6': single({ environment: { ...one.environment, k6: '2.3.0' } }),
    'of two runs, another profile': single({ profile: 'under' }),
    'of two runs, other limits': single({ limits: { ...one.limits, perMinute: 300 } }),
    'of two runs, one that stopped early': single({ ended: { how: 'interrupted', because: 'Ctrl-C.' } }),
    'of two runs, no response': single({ latencyMs: null }),
  },
};

/** A comparison as a page shows it: figures that changed, those that did not, and remarks. */
function pageOf({ figures, remarks }: LoadComparison): readonly string[] {
  const changed = figures.filter(({ change }) => change !== 'same');
  const same = figures.filter(({ change }) => change === 'same').map(({ figure }) => figure);
  return [
    ...changed.map(
      ({ figure, first, second, change, because }) =>
        `${figure}: ${first} and ${second}, ${change}${because && `: ${because}`}`,
    ),
    ...(same.length === 0 ? [] : [`the same: ${same.join(', ')}`]),
    ...remarks,
  ];
}

describe('a second set of runs, or a run, compared with the first', () => {
  const page: string[] = [];
  for (const [outcome, own] of Object.entries(rows)) {
    for (const [name, sets] of Object.entries(own)) {
      test(`${name}: ${outcome}`, () => {
        const comparison = compareLoads(...sets, 0.1);
        assert.equal(comparison.outcome, outcome, JSON.stringify(comparison.figures));
        page.push([`${name}: ${outcome}`, ...pageOf(comparison)].join('\n  '));
      });
    }
  }

  test('the figures are those that they are known to be', () =>
    assertPage('load/compare/compared.txt', `${page.join('\n')}\n`));
});

describe('the permutation test', () => {
  test('counts the ways to divide the runs', () => {
    assert.deepEqual([waysToChoose(12, 6), waysToChoose(5, 5), waysToChoose(20, 10)], [924, 1, 184_756]);
    assert.deepEqual(chancesOfHigherRanks([[1, 2, 3, 4]], 2), [1 / 6]);
    assert.deepEqual(chancesOfHigherRanks([[1, 2, 2, 3]], 2), [2 / 6]);
    assert.deepEqual(chancesOfHigherRanks([[4, 3, 2, 1]], 2), [1]);
  });

  test('a constant measure costs the others nothing; a varying one does', () => {
    const chanceBeside = (other: readonly number[]): number | undefined =>
      chancesOfHigherRanks([[1, 2, 3, 4], other], 2)[0];
    assert.equal(chanceBeside([7, 7, 7, 7]), 1 / 6);
    assert.equal(chancesOfHigherRanks([[2, 3, 1, 4], Array(4).fill(7)], 2)[0], 4 / 6);
    assert.equal(chanceBeside([1, 3, 2, 4]), 2 / 6);
    assert.equal(chancesOfHigherRanks([[7, 7, 7, 7]], 2)[0], 1);
    // Measures are compared by their ranks in units of their own spread, which ties make smaller.
    const beside = [
      [1, 4, 2, 5, 3, 6],
      [0, 0, 0, 1, 1, 1],
    ];
    assert.deepEqual(chancesOfHigherRanks(beside, 3), [2 / 20, 1 / 20]);
  });

  test('of many runs it draws divisions at random, and comes to nearly the same', () => {
    const random = seededBy('sets');
    const values = Array.from({ length: 24 }, (_, i) => random() + (i < 12 ? 0 : 0.5));
    const [chance = 1] = chancesOfHigherRanks([values], 12);
    assert.ok(chance < 0.05, String(chance));
    assert.deepEqual(chancesOfHigherRanks([values], 12), [chance]);
    // 514 of all 19,600 divisions rank as high.
    const few = [...Array.from({ length: 47 }, (_, i) => i), 30.5, 40.5, 45.5];
    const [ofFew = 1] = chancesOfHigherRanks([few], 3);
    assert.ok(Math.abs(ofFew - 514 / 19_600) < 0.0025, String(ofFew));
  });

  test('equal sets are told apart in no more than 1 of 100 comparisons', () => {
    const random = seededBy('equal sets');
    let alarms = 0;
    for (let i = 0; i < 2000; i += 1) {
      const slow = Array.from({ length: 12 }, () => 1 / Math.sqrt(1 - random()));
      const measures = [slow, slow.map((one) => one + random()), Array.from({ length: 12 }, random)];
      if (Math.min(...chancesOfHigherRanks(measures, 6)) <= 0.01) alarms += 1;
    }
    assert.ok(alarms <= 32, `${alarms} of 2000`);
  });
});

test('the runs that a set needs: by the ways to divide them, and by the normal approximation', () => {
  assert.deepEqual([0, 1, 2, 3, 10].map(leastRuns), [5, 5, 5, 6, 7]);
  const runs = [0.5, 0.58, 0.6, 0.8, 0.95, 1].map((share) => runsToDecide(share, 3));
  assert.deepEqual(runs, [undefined, undefined, 130, 15, 7, 6]);
  assert.deepEqual([foundEffect(5), foundEffect(6)?.toFixed(3)], [undefined, '2.095']);
  assert.equal(shareOfHigher([1, 2], [2, 3]), 7 / 8);
});
