import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { KeyAlias, Step, StepOf } from '../../../load/model/profile.ts';
import type { ExpectationId } from '../../../spec/register.ts';
import { assertPage } from '../tools/page.ts';
import type { StagedRun, StagedSample } from './runs.ts';
import { countdown, judged } from './runs.ts';
import { variedRun } from './varied-runs.ts';

/** The preflight request. */
export const preflight: Step = { kind: 'preflight' };
/** Requests one after another. */
export const burst = (requests: number): Step => ({ kind: 'burst', requests, concurrency: 1 });
/** Requests spread evenly over a minute, or over so many milliseconds. */
export const paced = (requests: number, overMs = 60_000): StepOf<'paced'> => ({
  kind: 'paced',
  requests,
  overMs,
  turn: 1,
  operation: 'list',
});
/** Requests of a client that waits as announced and backs off. */
export const polite = (requests: number): Step => ({
  kind: 'polite',
  requests,
  backoffMs: 1000,
  longestBackoffMs: 30_000,
});
/** A wait until Retry-After has passed. */
export const waitOut: Step = { kind: 'await retry-after', marginMs: 1000 };

const preflightAnd =
  (rest: (requests: number) => Step) =>
  (samples: readonly StagedSample[]): StagedRun => ({
    scenarios: [['key', [preflight, rest(samples.length - 1)]]],
    samples: samples.map((one, i) => ({ step: i === 0 ? 0 : 1, ...one })),
  });
/** The preflight request, then the rest as a burst. */
export const bursts = preflightAnd(burst);
/** A 429 with a Retry-After of nearly a window. */
export const limited = (at: number, more: Partial<StagedSample> = {}): StagedSample => ({
  ...{ at, status: 429, left: 0, wait: '59' },
  ...more,
});
/** The full quota of a window, and one request more. */
export const exhausted = [
  ...countdown(1, 9),
  ...countdown(9, 8, { at: 100, step: 1 }),
  limited(1000, { step: 1 }),
];
/** The preflight request, then the rest as a polite client. */
export const polites = preflightAnd(polite);
/** A key that exceeds its limit, and a quiet one at the same time, by default that of another caller. */
export const beside = (
  quiet: readonly StagedSample[],
  loud: readonly StagedSample[] = exhausted,
  [loudKey, quietKey]: readonly [KeyAlias, KeyAlias] = ['key', 'other'],
): StagedRun => ({
  scenarios: [
    [loudKey, [preflight, burst(10)]],
    [quietKey, [preflight, paced(quiet.length - 1)]],
  ],
  samples: [
    ...loud.map((one) => ({ key: loudKey, ...one })),
    ...quiet.map((one, i) => ({ key: quietKey, step: i === 0 ? 0 : 1, ...one })),
  ],
});
/** This many scheduled requests, each late by `lateMs`. */
export const scheduled = (requests: number, lateMs = 0): StagedRun => ({
  scenarios: [['key', [paced(requests)]]],
  samples: Array.from({ length: requests }, (_, i) => ({ planned: i * 500, at: i * 500 + lateMs, left: 9 })),
});

/** What an expectation says of synthetic runs, by the verdicts that it can have; each run by what is special about it. */
type Expected = {
  readonly [Id in ExpectationId | 'LATENCY']?: Readonly<
    Record<
      Id extends 'SENT' ? 'pass' | 'inconclusive' : 'pass' | 'fail' | 'inconclusive',
      Readonly<Record<string, StagedRun>>
    >
  >;
};

const FOLDER = 'load/judging/expectations';

/** Verdicts on runs that differ from a stated one in a thing or two (`varied-runs.ts`): those that show an edge of a rule. */
const VARIED_RUNS = `${FOLDER}/varied-runs.txt`;

/** Tests expectations with these rows. Their reasons are those of a page. @param name of the page, without its ending. */
export function testRows(name: string, expected: Expected): void {
  const rows = Object.entries(expected).flatMap(([id, byVerdict]) =>
    Object.entries(byVerdict).flatMap(([verdict, own]) =>
      Object.entries(own).map(([description, staged]) => ({
        ...{ id: id as keyof Expected, verdict, description, staged },
      })),
    ),
  );
  describe(name, () => {
    const reasons: string[] = [];
    for (const { id, verdict, description, staged } of rows) {
      test(`${id}, ${description}: ${verdict}`, () => {
        const finding = judged(id, staged);
        assert.equal(finding.verdict, verdict, finding.because);
        reasons.push(`${id}, ${description}: ${verdict}\n  ${finding.because}`);
      });
    }

    test('each has the reason that it is known to have', () =>
      assertPage(`${FOLDER}/${name}.txt`, `${reasons.join('\n')}\n`));

    test('runs that differ in a thing or two get the verdicts that they are known to get', () => {
      const lines = readFileSync(VARIED_RUNS, 'utf8').trim().split('\n');
      for (const line of lines.filter((one) => one.startsWith(`${name}: `))) {
        const [, stated, number, verdict] = /^.+?: (.+), variant ([0-9]+): ([a-z]+)$/.exec(line) ?? [];
        const row = rows.find(({ id, description }) => stated === `${id}, ${description}`);
        assert.ok(row !== undefined, line);
        const { id, description, staged } = row;
        assert.equal(judged(id, variedRun(staged, `${description} ${number}`)).verdict, verdict, line);
      }
    });

    test('no expectation passes a run without samples, or an interrupted one', () => {
      for (const { id, staged } of rows.filter(({ verdict }) => verdict === 'pass')) {
        assert.equal(judged(id, { ...staged, samples: [] }).verdict, 'inconclusive', id);
        const ended = { how: 'interrupted', because: 'Ctrl-C.' } as const;
        assert.equal(judged(id, { ...staged, ended }).verdict, 'inconclusive', id);
        assert.notEqual(judged(id, { ...staged, samples: staged.samples.slice(0, -1) }).verdict, 'pass', id);
      }
    });
  });
}
