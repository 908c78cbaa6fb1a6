import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mayBeNoise, mayBeTimer, readSeries } from './series.ts';

/** What the delays are, the delays of each run, what the client takes for any request, and which series it is. */
const ROW = /^(?<kind>[a-z, ]+): (?<runs>[0-9. ;×]+?)(?: \(usual (?<usual>[0-9]+)\))?(?: # (?<name>.*))?$/;

/** The delays of `300 600; 301 600`, or of `3 × 300 600`. */
const runsOf = (text: string): readonly (readonly number[])[] =>
  text.split('; ').flatMap((run) => {
    const [delays = '', times = '1'] = run.split(' × ').reverse();
    return Array.from({ length: Number(times) }, () => delays.split(' ').map(Number));
  });

for (const line of readFileSync('suites/client/judging/series-of-delays.txt', 'utf8').trim().split('\n')) {
  if (line.startsWith('#')) continue;
  const { kind, runs = '', usual, name = runs } = ROW.exec(line)?.groups ?? {};
  test(`a series of delays: ${name}: ${kind}`, () => {
    const reading = readSeries(runsOf(runs), Number(usual ?? 0));
    const also = [mayBeNoise(reading) && 'may be noise', mayBeTimer(reading) && 'may be a timer'];
    assert.equal([reading.kind, ...also.filter(Boolean)].join(', '), kind, line);
  });
}
