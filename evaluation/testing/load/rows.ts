import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ExpectationId, Step } from '../../../load/model/profile.ts';
import type { LoadVerdict } from '../../../load/model/record.ts';
import type { Staged, Told } from './runs.ts';
import { countdown, judged } from './runs.ts';

/** The first request. */
export const look: Step = { kind: 'preflight' };
/** One after the other. */
export const burst = (requests: number): Step => ({ kind: 'burst', requests, atOnce: 1 });
/** Evenly over a minute. */
export const paced = (requests: number): Step => ({
  kind: 'paced',
  requests,
  overMs: 60_000,
  operation: 'list',
});
/** As it is told. */
export const polite = (requests: number): Step => ({
  kind: 'polite',
  requests,
  backoffMs: 1000,
  longestBackoffMs: 30_000,
});
/** Until Retry-After has passed. */
export const waitOut: Step = { kind: 'await retry-after', guardMs: 1000 };

/** The first request, then a burst of the rest. */
export const bursts = (told: readonly Told[]): Staged => ({
  scenarios: [['key', [look, burst(told.length - 1)]]],
  told: told.map((one, i) => ({ step: i === 0 ? 0 : 1, ...one })),
});
/** A 429 that asks for a wait of nearly a window. */
export const limited = (at: number, more: Partial<Told> = {}): Told => ({
  ...{ at, status: 429, left: 0, wait: '59' },
  ...more,
});
/** A burst, and two requests, each after a wait. */
export const waits = (told: readonly Told[]): Staged => ({
  scenarios: [['key', [look, burst(10), waitOut, burst(1), waitOut, burst(1)]]],
  told,
});
/** The whole limit of an untouched window, and one request more. */
export const exhausted = [
  ...countdown(1, 9),
  ...countdown(9, 8, { at: 100, step: 1 }),
  limited(1000, { step: 1 }),
];
/** The first request, then the rest as a polite client. */
export const polites = (told: readonly Told[]): Staged => ({
  scenarios: [['key', [look, polite(told.length - 1)]]],
  told: told.map((one, i) => ({ step: i === 0 ? 0 : 1, ...one })),
});
/** A loud key, and a quiet one beside it. */
export const beside = (quiet: readonly Told[], loud: readonly Told[] = exhausted): Staged => ({
  scenarios: [
    ['key', [look, burst(10)]],
    ['other', [look, paced(quiet.length - 1)]],
  ],
  told: [...loud, ...quiet.map((one, i) => ({ key: 'other' as const, step: i === 0 ? 0 : 1, ...one }))],
});
/** So many requests at their times, or late. */
export const scheduled = (requests: number, lateMs = 0): Staged => ({
  scenarios: [['key', [paced(requests)]]],
  told: Array.from({ length: requests }, (_, i) => ({ planned: i * 500, at: i * 500 + lateMs, left: 9 })),
});
/** So many requests that are accepted, slowly, and what comes after them. */
export const days = (accepted: number, more: readonly Told[] = []): Staged => ({
  scenarios: [['key', [paced(accepted + more.length)]]],
  told: [...countdown(accepted, 9, {}, 7000), ...more],
});

/** What one expectation says of a run that never was. */
export type ExpectationRow = readonly [
  expectation: ExpectationId,
  verdict: LoadVerdict,
  says: string,
  staged: Staged,
  because: RegExp,
];

/** Holds expectations to the rows about them; each must be shown in every verdict that it can give. */
export function testRows(name: string, rows: readonly ExpectationRow[]): void {
  describe(name, () => {
    for (const [id, verdict, says, staged, because] of rows) {
      test(`${id}, ${says}: ${verdict}`, () => {
        const finding = judged(id, staged);
        assert.equal(finding.verdict, verdict, finding.because);
        assert.match(finding.because, because);
      });
    }

    test('each is shown to pass, to be inconclusive, and but for SENT to fail', () => {
      for (const id of new Set(rows.map(([one]) => one))) {
        const verdicts = new Set(rows.filter(([row]) => row === id).map(([, verdict]) => verdict));
        assert.deepEqual([id, verdicts.size], [id, id === 'SENT' ? 2 : 3]);
      }
    });

    test('none passes a run without a sample, or one that was cut short', () => {
      for (const [id, verdict, , staged] of rows) {
        if (verdict !== 'pass') continue;
        assert.equal(judged(id, { ...staged, told: [] }).verdict, 'inconclusive', id);
        const ended = { how: 'interrupted', because: 'Ctrl-C.' } as const;
        assert.equal(judged(id, { ...staged, ended }).verdict, 'inconclusive', id);
        assert.notEqual(judged(id, { ...staged, told: staged.told.slice(0, -1) }).verdict, 'pass', id);
      }
    });
  });
}
