import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFindingOf, loadRun } from '../../evaluation/testing/reports/load-runs.ts';
import type { Finding, LoadRecord } from '../../kernel/findings/record.ts';
import type { LoadComparison } from './compare.ts';
import { compareLoads } from './compare.ts';
import type { FigureChange } from './measures.ts';

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

/** Two sets as if their runs had been recorded in turn. */
const inTurn = (first: readonly LoadRecord[], second: readonly LoadRecord[]) =>
  [first, second].map((set, own) =>
    set.map((one, i) => ({
      ...one,
      startedAt: new Date(Date.UTC(2026, 10, 21, 10, 2 * i + own)).toISOString(),
    })),
  ) as [LoadRecord[], LoadRecord[]];

const rows: Readonly<
  Record<
    string,
    readonly [
      first: readonly LoadRecord[],
      second: readonly LoadRecord[],
      outcome: LoadComparison['outcome'],
      found: `${string}: ${FigureChange}`,
      because?: RegExp,
    ]
  >
> = {
  'the same set': [runs(6, 20), runs(6, 20), 'not worse', 'latency p50: same'],
  'slower in every run': [runs(6, 20), runs(6, 30), 'worse', 'latency p50: worse'],
  'slower by less than the tolerance': [runs(6, 20), runs(6, 21.5), 'not worse', 'latency p50: same'],
  'faster in every run': [runs(6, 30), runs(6, 20), 'not worse', 'latency p90: better'],
  'one run against two slower ones': [
    runs(1, 20),
    runs(2, 30),
    'undecided',
    'latency p50: undecided',
    /more run/,
  ],
  'three runs against nine alike': [
    accepting(46).slice(3),
    [...accepting(46), ...accepting(46).slice(3)],
    'undecided',
    'accepted: undecided',
    /too few repetitions to find a difference: 2 more runs of each/,
  ],
  'slower in every run, of too few': [
    runs(3, 20),
    runs(3, 30),
    'undecided',
    'latency p50: undecided',
    /about 3 more runs of each would decide/,
  ],
  'equal, of too few': [
    runs(3, 20),
    runs(3, 20),
    'undecided',
    'latency p50: undecided',
    /too few repetitions to find a difference: 3 more runs of each/,
  ],
  'slower in most runs, with noise': [
    [20, 20, 21, 22, 40, 41].map((one) => run(one)),
    [21, 24, 26, 27, 42, 44].map((one) => run(one)),
    'undecided',
    'latency p50: undecided',
    /about \d+ more runs of each would decide/,
  ],
  'slower as this machine sent later': [
    runs(6, 20),
    runs(6, 30, { delay: 30 }),
    'undecided',
    'latency p50: inconclusive',
    /sent later in the second set/,
  ],
  'slower by more than this machine sent later': [
    runs(6, 20),
    runs(6, 50, { delay: 10 }),
    'worse',
    'latency p50: worse',
  ],
  'fewer accepted in every run': [accepting(46), accepting(26), 'worse', 'accepted: worse'],
  'fewer accepted, by no more than the tolerance': [
    accepting(46),
    accepting(40),
    'not worse',
    'accepted: same',
  ],
  'fewer accepted, by one more than the tolerance': [
    accepting(46),
    accepting(39),
    'worse',
    'accepted: worse',
  ],
  'a few fewer accepted': [accepting(46), accepting(42), 'not worse', 'accepted: same'],
  'more accepted in every run': [accepting(26), accepting(46), 'not worse', 'accepted: better'],
  'more accepted, by no more than the tolerance': [
    accepting(40),
    accepting(46),
    'not worse',
    'accepted: same',
  ],
  'an expectation that fails in every run': [flaky(2, 0), flaky(2, 2), 'worse', 'RATE-LIMITED: worse'],
  'one that fails now and then': [
    flaky(6, 0),
    flaky(6, 2),
    'undecided',
    'RATE-LIMITED: undecided',
    /now and then/,
  ],
  'one that passes, fails and is inconclusive': [
    flaky(3, 0),
    (['pass', 'fail', 'inconclusive'] as const).map((verdict) =>
      verdict === 'pass' ? run(20) : withVerdict(run(20), verdict),
    ),
    'undecided',
    'RATE-LIMITED: undecided',
    /now and then/,
  ],
  'one that is inconclusive no more': [
    runs(6, 20).map((one) => withVerdict(one, 'inconclusive')),
    runs(6, 20),
    'not worse',
    'RATE-LIMITED: better',
  ],
  'one that fails in most runs': [flaky(8, 0), flaky(8, 7), 'worse', 'RATE-LIMITED: worse'],
  'one that failed before as well': [flaky(6, 3), flaky(6, 3), 'not worse', 'RATE-LIMITED: same'],
  'one that fails no more': [flaky(6, 6), flaky(6, 0), 'not worse', 'RATE-LIMITED: better'],
};

const latencyMs = { count: 200, min: 1, p50: 20, p90: 50, p99: 100, p999: 120, max: 130 };
const one: LoadRecord = { ...base, latencyMs };

/** A single run, compared with one that differs from it in this. */
const compared = (second: Partial<LoadRecord>): LoadComparison =>
  compareLoads([one], [{ ...one, ...second }], 0.1);

const requirements = (verdict: 'fail' | 'inconclusive') => withVerdict(one, verdict).requirements;
const keys = (accepted: number, rateLimited: number, failed: number): LoadRecord['keys'] =>
  one.keys.map((count) => (count.key === 'key' ? { ...count, accepted, rateLimited, failed } : count));

const singleRows: Readonly<
  Record<
    string,
    readonly [
      second: Partial<LoadRecord>,
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
    { outcome: 'violates', requirements: requirements('fail') },
    'worse',
    'RATE-LIMITED: worse',
  ],
  'one that is inconclusive now': [
    { outcome: 'incomplete', requirements: requirements('inconclusive') },
    'undecided',
    'RATE-LIMITED: inconclusive',
  ],
  'fewer accepted': [{ keys: keys(50, 11, 1) }, 'not worse', 'accepted: differs'],
  'a few fewer accepted': [{ keys: keys(58, 3, 1) }, 'not worse', 'accepted: same'],
  'more that fail': [{ keys: keys(53, 1, 8) }, 'not worse', 'failed: differs'],
  'another machine': [
    { environment: { ...one.environment, cpus: 8 } },
    'undecided',
    'latency p50: inconclusive',
  ],
  'another k6': [
    { environment: { ...one.environment, k6: '2.3.0' } },
    'undecided',
    'latency p50: inconclusive',
  ],
  'another profile': [{ profile: 'under' }, 'undecided', 'outcome: inconclusive'],
  'other limits': [{ limits: { ...one.limits, perMinute: 300 } }, 'undecided', 'outcome: inconclusive'],
  'a run that stopped early': [
    { ended: { how: 'interrupted', because: 'Ctrl-C.' } },
    'undecided',
    'outcome: inconclusive',
  ],
  'a run that failed before it stopped early': [
    {
      ended: { how: 'stopped', because: 'Banned.' },
      outcome: 'violates',
      requirements: requirements('fail'),
    },
    'worse',
    'outcome: inconclusive',
  ],
  'no response': [{ latencyMs: null }, 'undecided', 'latency p50: inconclusive'],
};

describe('a second run compared with the first', () => {
  for (const [name, [second, outcome, stated]] of Object.entries(singleRows)) {
    test(`${name}: ${outcome}`, () => {
      const comparison = compared(second);
      assert.equal(comparison.outcome, outcome);
      const changes = comparison.figures.map(({ figure, change }) => `${figure}: ${change}`);
      assert.ok(stated === undefined || changes.includes(stated), changes.join());
    });
  }

  test('a regression stands even where latencies cannot be compared', () => {
    const environment = { ...one.environment, cpus: 8 };
    assert.equal(compared({ environment, requirements: requirements('fail') }).outcome, 'worse');
  });

  test('differences of a millisecond and less are noise', () => {
    const withMedian = (p50: number): LoadRecord => ({ ...one, latencyMs: { ...latencyMs, p50 } });
    const changes = [1.1, 1.25].map((p50) =>
      compareLoads([withMedian(0.2)], [withMedian(p50)], 0.1).figures.find(
        ({ figure }) => figure === 'latency p50',
      ),
    );
    assert.deepEqual(
      changes.map((found) => found?.change),
      ['same', 'differs'],
    );
  });

  test('a percentile of too few responses is omitted', () => {
    const figuresOf = (count: number): readonly string[] => {
      const few = { ...one, latencyMs: { ...latencyMs, count } };
      return compareLoads([few], [few], 0.1).figures.map(({ figure }) => figure);
    };
    assert.ok(figuresOf(99).includes('latency p90') && !figuresOf(99).includes('latency p99'));
    assert.ok(figuresOf(100).includes('latency p99'));
  });

  test('differences are reported', () => {
    const target = { ...one.target, baseUrl: 'http://127.0.0.1:1/v1' };
    const { remarks } = compared({ environment: { ...one.environment, k6: '2.3.0' }, target });
    assert.match(remarks.join('\n'), /The k6 differs: 2\.2\.0 and 2\.3\.0\./);
    assert.match(remarks.join('\n'), /The targets differ/);
  });
});

describe('a second set of runs compared with the first', () => {
  for (const [name, [first, second, outcome, stated, because = /^$/]] of Object.entries(rows)) {
    test(name, () => {
      const compared = compareLoads(...inTurn(first, second), 0.1);
      const found = compared.figures.find(({ figure, change }) => `${figure}: ${change}` === stated);
      assert.ok(found !== undefined, JSON.stringify(compared.figures));
      assert.equal(compared.outcome, outcome);
      assert.match(found.because, because);
    });
  }

  test('figures show the median with the lowest and the highest, or how often each verdict came', () => {
    const shown = (first: readonly LoadRecord[], second: readonly LoadRecord[], name: string) => {
      const found = compareLoads(...inTurn(first, second), 0.1).figures.find(({ figure }) => figure === name);
      return [found?.first, found?.second, found?.because];
    };
    assert.deepEqual(shown(runs(6, 20), runs(6, 30), 'latency p50'), [
      ...['20.50 ms (20.00 ms to 21.00 ms)', '30.75 ms (30.00 ms to 31.50 ms)', ''],
    ]);
    assert.deepEqual(shown(accepting(46), accepting(40), 'rateLimited').slice(0, 2), ['1', '1']);
    assert.deepEqual(shown(flaky(6, 0), flaky(6, 2), 'RATE-LIMITED').slice(0, 2), ['pass', '4 pass, 2 fail']);
  });

  test('what a comparison could have found is a remark, of sets in turn; and of two runs that they show no change', () => {
    const remarksOf = (first: readonly LoadRecord[], second: readonly LoadRecord[]) =>
      compareLoads(first, second, 0.1).remarks;
    assert.deepEqual(remarksOf(...inTurn(runs(6, 20), runs(6, 40))), [
      'A median latency that is 1.04 times as high would have shown in 8 of 10 such comparisons.',
    ]);
    assert.deepEqual(remarksOf(runs(6, 20), runs(6, 20)), []);
    assert.deepEqual(remarksOf(...inTurn(runs(3, 20), runs(3, 20))), []);
    assert.match(remarksOf(runs(1, 20), runs(1, 20)).join(), /^One run on each side cannot tell/);
  });

  test('sets that were not recorded in turn decide nothing about latency, and a failure all the same', () => {
    const at = (minute: number, fails = false, p50 = 20): LoadRecord => ({
      ...run(p50, { fails }),
      startedAt: new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString(),
    });
    const outcomeOf = (first: readonly number[], second: readonly number[], fails = false) =>
      compareLoads(
        first.map((minute) => at(minute)),
        second.map((minute) => at(minute, fails)),
        0.1,
      );
    const after = outcomeOf([0, 1, 2], [3, 4, 5]);
    assert.equal(after.outcome, 'undecided');
    assert.match(after.figures.at(-1)?.because ?? '', /not recorded in turn.*--against/);
    assert.match(outcomeOf([0, 1], [2]).figures.at(-1)?.because ?? '', /not recorded in turn/);
    assert.equal(outcomeOf([0, 1, 2], [3, 4, 5], true).outcome, 'worse');
    assert.equal(outcomeOf([0, 3, 4], [1, 2, 5]).outcome, 'not worse');
    assert.equal(outcomeOf([0, 2, 5], [1, 3, 4]).outcome, 'not worse');
    assert.equal(outcomeOf([0, 1, 4], [2, 3, 5]).outcome, 'undecided');
  });

  test('a third of the requests on a slow path shows in the distribution and in no median', () => {
    const set = (slow: number, spread = 1, length = 6, byMs = 0): readonly LoadRecord[] =>
      Array.from({ length }, (_, i) => {
        const twentieths = Array.from(
          { length: 19 },
          (_one, at) => (at < 19 - slow ? 10 : 60) + byMs + spread * (at / 10 + i / 100),
        );
        const p50 = twentieths[9] ?? 0;
        return {
          ...base,
          latencyMs: { count: 8, min: 1, p50, p90: 70, p99: 70, p999: 70, max: 70, twentieths },
        };
      });
    const figureOf = (slow: number, figure: string, spread?: number) =>
      compareLoads(...inTurn(set(1, spread), set(slow, spread)), 0.1).figures.find(
        (one) => one.figure === figure,
      );
    assert.equal(figureOf(7, 'latency p50')?.change, 'same');
    assert.deepEqual(figureOf(7, 'latency distribution'), {
      figure: 'latency distribution',
      first: '10 % over 11.74 ms',
      second: '40 % over 11.74 ms',
      change: 'worse',
      because: '',
    });
    assert.equal(figureOf(2, 'latency distribution')?.change, 'same');
    const ofSlow = (byMs: number) =>
      compareLoads(...inTurn(set(19), set(19, 1, 6, byMs)), 0.1).figures.at(-1);
    assert.deepEqual(
      [ofSlow(4)?.change, ofSlow(9)?.change],
      ['same', 'worse'],
      'a tenth of 60 ms is tolerated',
    );
    const fewer = compareLoads(...inTurn(set(1, 1, 5), set(7, 1, 5)), 0.1).figures.at(-1);
    assert.deepEqual([fewer?.figure, fewer?.change], ['latency distribution', 'undecided']);
    const [[one], two] = inTurn(set(1, 1, 1), set(7, 1, 2));
    assert.ok(one !== undefined);
    const single = compareLoads([one], two.slice(0, 1), 0.1).figures.at(-1);
    assert.equal(single?.figure, 'latency p50', 'two runs show no distribution');
    const few = compareLoads([one], two, 0.1).figures.at(-1);
    assert.deepEqual([few?.figure, few?.change], ['latency distribution', 'undecided']);
    const beside = compareLoads(...inTurn(set(1), runs(6, 11)), 0.1).figures.map(({ figure }) => figure);
    assert.ok(!beside.includes('latency distribution'), 'runs of an earlier version show no distribution');
    const coarse = figureOf(7, 'latency distribution', 0);
    assert.deepEqual([coarse?.change, coarse?.second], ['worse', '40 % over 10.00 ms']);
  });

  test('sets of different sizes are compared, and one unfinished run is named', () => {
    const cut: LoadRecord = { ...run(20), ended: { how: 'interrupted', because: 'Ctrl-C.' } };
    const { outcome, remarks } = compareLoads(runs(4, 20), [...runs(5, 20), cut], 0.1);
    assert.equal(outcome, 'undecided');
    assert.match(remarks.join('\n'), /Run 6 of the second set did not finish: Ctrl-C\./);
  });
});
