import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Limits } from '../../spec/plans.ts';
import { admissionObstacle } from './admission.ts';
import { dayObstacle, dayUsageOf, dayUsageText } from './day-usage.ts';
import type { KeyHistory } from './ledger.ts';

const NOW = Date.UTC(2026, 10, 21, 8, 30);
const HOUR = 3_600_000;
const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const free: Limits = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

describe('what a key has used today', () => {
  const used = (requests: number, hoursAgo: number) => ({
    run: `${hoursAgo}`,
    command: 'load',
    requests,
    until: NOW - hoursAgo * HOUR,
  });

  test('counts what was used within the last day, and nothing older', () => {
    const runs = [used(500, 25), used(100, 24), used(60, 23), used(40, 1), used(0, 0)];
    assert.deepEqual(dayUsageOf(runs, free, NOW), { used: 100, available: 800, fullAt: NOW + 23 * HOUR });
    assert.deepEqual(dayUsageOf([used(500, 25)], free, NOW), { used: 0, available: 900, fullAt: undefined });
  });

  const rows: readonly [runs: ReturnType<typeof used>[], requests: number, inHours: number][] = [
    [[], 900, 0],
    [[], 901, Infinity],
    [[used(400, 3), used(400, 2)], 100, 0],
    [[used(400, 3), used(400, 2)], 101, 21],
    [[used(400, 2), used(400, 3)], 501, 22],
    [[used(2000, 5)], 1, 19],
    [[used(800, 3)], 150, 21],
  ];
  for (const [runs, requests, inHours] of rows) {
    const had = runs.map((one) => one.requests).join(' and ') || 'nothing';
    test(`after ${had}, ${requests} can start in ${inHours} h`, () => {
      const obstacle = dayObstacle(runs, requests, free, NOW);
      const hours = ((obstacle?.possibleAt ?? Infinity) - NOW) / HOUR;
      assert.equal(obstacle === undefined ? 0 : hours, inHours);
    });
  }

  test('a run that may use the whole day needs an unused one, which a damaged ledger does not show', () => {
    const obstacle = (history: KeyHistory) =>
      admissionObstacle(
        history,
        { alias: 'a', label: 'Key 2 of the fleet', key: KEY, requests: 1003 },
        { limits: free, fullDayAllowed: true, ledger: '/ledger' },
        NOW,
      );
    assert.equal(obstacle({ runs: [], damagedLines: 0 }), undefined);
    assert.match(
      obstacle({ runs: [used(1, 2)], damagedLines: 0 }) ?? '',
      /and key 2 of the fleet sent 1 request to this target .* It can start in 22 h/,
    );
    assert.match(
      obstacle({ runs: [], damagedLines: 1 }) ?? '',
      /ledger \/ledger has 1 line that cannot be read/,
    );
  });

  test('a short day ends soon', () => {
    const short = { ...free, daySeconds: 120 };
    const runs = [{ run: 'a', command: 'load', requests: 900, until: NOW - 60_000 }];
    assert.equal(dayUsageOf(runs, short, NOW).fullAt, NOW + 60_000);
    assert.equal(dayUsageOf(runs, short, NOW + 60_000).used, 0);
  });

  test('the text says what is used, what is left and when all is available', () => {
    assert.equal(
      dayUsageText(dayUsageOf([used(109, 1)], free, NOW), free, NOW),
      '109 of 1,000 requests used in the last day, as recorded on this machine; 791 more fit into nine tenths of the quota; the full allowance is available in 23 h 0 min (2026-11-22 07:30 UTC)',
    );
  });
});
