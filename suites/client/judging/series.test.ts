import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { SeriesClass } from './series.ts';
import { mayBeNoise, mayBeTimer, readSeries } from './series.ts';

type Runs = readonly (readonly number[])[];
/** Three runs with the same delays. */
const alike = (...delays: readonly number[]): Runs => [delays, delays, delays];
/** Three runs, of which each delay is longer by this noise, in turn. */
const noisy = (delays: readonly number[], ...noise: readonly number[]): Runs =>
  [0, 1, 2].map((run) => delays.map((delay, at) => delay + (noise[(run + at) % noise.length] ?? 0)));

const rows: readonly (readonly [what: string, kind: SeriesClass, runs: Runs])[] = [
  ['a line from the first step', 'linear', alike(2000, 4000, 6000, 8000, 10_000)],
  ['a line beside Retry-After 1', 'linear', alike(0, 1000, 2000, 3000, 4000)],
  ['a line beside Retry-After 1, six delays', 'linear', alike(3, 1001, 2002, 3001, 4002, 5001)],
  ['a line with an offset', 'linear', alike(700, 1000, 1300, 1600, 1900, 2200)],
  ['growth by a tenth each time', 'unclear', alike(1000, 1100, 1210, 1331, 1464, 1611)],
  [
    'a line of so long a first delay that growth by a tenth has it, too',
    'unclear',
    alike(2000, 2200, 2400, 2600, 2800),
  ],
  ['a line of 0.3 s', 'linear', alike(300, 600, 900, 1200, 1500, 1800)],
  ['a line of 0.3 s with noise', 'linear', noisy([300, 600, 900, 1200, 1500, 1800], 1, 12, 24)],
  [
    'a line of 0.3 s with one stall that looks like a step',
    'unclear',
    alike(300, 600, 900, 1340, 1500, 1800),
  ],
  ['a line of 0.3 s with one stall, five delays', 'unclear', alike(300, 600, 900, 1340, 1500)],
  ['a line with one stall at its end', 'unclear', alike(2000, 4000, 6000, 8000, 19_870)],
  [
    'a line with one stall in two of three runs',
    'unclear',
    [
      [2000, 4000, 6000, 8000, 19_870],
      [2001, 4001, 6001, 8001, 18_000],
      [2002, 4002, 6002, 8002, 10_002],
    ],
  ],
  ['a constant delay of 4 s', 'flat', alike(4000, 4001, 4002, 4000)],
  ['a constant delay that may be the step of a timer', 'unclear', alike(20_000, 20_001, 20_000)],
  ['steps of a timer that shows some growth', 'unclear', alike(9000, 9000, 9000, 9000, 19_000)],
  ['doubling', 'grows', alike(300, 600, 1200, 2400, 4800)],
  ['doubling beside Retry-After 1', 'grows', alike(0, 1000, 3000, 7000, 15_000)],
  ['growth by 1.5', 'grows', alike(300, 450, 675, 1012, 1518)],
  ['doubling to a cap', 'grows', alike(400, 800, 1600, 3200, 4000, 4000)],
  ['doubling to a cap that is reached at once', 'grows', alike(300, 600, 1200, 1200, 1200, 1200)],
  ['doubling, then a drop', 'unclear', alike(300, 600, 1200, 300, 600, 1200)],
  ['a peak, then less', 'unclear', alike(200, 400, 800, 150, 160, 150)],
  ['no delay', 'zero', alike(1, 2, 1, 1, 2)],
  ['no delay, with slow first requests', 'zero', alike(14, 14, 4, 4, 4)],
  ['no delay, with slower first requests', 'zero', alike(29, 21, 2, 3, 2, 1)],
  [
    'a random number of whole seconds, often none',
    'unclear',
    [
      [1001, 1, 1],
      [1, 1002, 1],
      [2, 1, 1],
    ],
  ],
  ['no delay, with a first retry that loads its code', 'zero', alike(103, 2, 3, 2, 3, 1)],
  ['noise after a first retry that loads its code', 'unclear', alike(103, 7, 6, 10, 9, 13)],
  ['one delay, and none after it, in a short series', 'unclear', alike(103, 2, 3, 2)],
  [
    'no delay, with a stall of one late delay in two runs',
    'zero',
    [
      [1, 2, 1, 2, 14],
      [2, 1, 2, 1, 15],
      [1, 2, 9, 2, 12],
    ],
  ],
  ['noise that falls', 'unclear', alike(70, 40, 2, 3, 30)],
  [
    'noise that falls in the shortest delays, and grows in one run',
    'unclear',
    [
      [70, 40, 2, 3, 900],
      [75, 42, 5, 700, 30],
      [72, 41, 3, 4, 35],
    ],
  ],
  ['10 ms that double', 'grows', alike(10, 20, 40, 80, 160, 320)],
  ['5 ms that grow by half', 'unclear', alike(5, 7.5, 11, 17, 25)],
  ['four delays of a line', 'unclear', alike(1000, 2000, 3000, 4000)],
  ['two delays', 'few', alike(300, 600)],
];
for (const [what, kind, runs] of rows) {
  test(`a series of delays: ${what}: ${kind}`, () => {
    assert.equal(readSeries(runs).kind, kind);
  });
}

/** A script that starts some programs for each request, as measured. */
const OF_A_SCRIPT = [
  [77, 53, 58, 81, 13, 20],
  [37, 17, 18, 13, 23, 23],
  [49, 17, 13, 15, 12, 11],
];
for (const [what, kind, runs, usual] of [
  ['no longer than between any two requests', 'zero', OF_A_SCRIPT, 11],
  ['the same, of a client that takes no time between requests', 'unclear', OF_A_SCRIPT, 1],
  ['constant, and longer than between any two requests', 'flat', alike(50, 51, 52, 50, 51), 40],
  ['5 ms that double, of a slow client', 'unclear', alike(5, 10, 20, 40, 80, 160), 20],
  ['10 ms that double to a cap, of a slow client', 'unclear', alike(10, 20, 30, 30, 30, 30), 20],
] as const) {
  test(`a series of delays: ${what}: ${kind}`, () => {
    assert.equal(readSeries(runs, usual).kind, kind);
  });
}

test('series at the edges of each rule are read as stated', () => {
  // A line states what the delays are, the delays of each run, and what the client takes for any request.
  for (const line of readFileSync('suites/client/judging/series-of-delays.txt', 'utf8').trim().split('\n')) {
    if (line.startsWith('#')) continue;
    const [, told, delays = '', usual] = /^([a-z, ]+): ([0-9 ;]+)(?: \(usual ([0-9]+)\))?$/.exec(line) ?? [];
    const runs = delays.split('; ').map((run) => run.split(' ').map(Number));
    const reading = readSeries(runs, Number(usual ?? 0));
    const also = [mayBeNoise(reading) && 'may be noise', mayBeTimer(reading) && 'may be a timer'];
    assert.equal([reading.kind, ...also.filter(Boolean)].join(', '), told, line);
  }
});
