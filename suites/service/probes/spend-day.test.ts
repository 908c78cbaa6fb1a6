import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScriptedReply } from '../../../evaluation/testing/suites/scripted-target.ts';
import { limitedReply, okReply, scriptedTarget } from '../../../evaluation/testing/suites/scripted-target.ts';
import { RUN } from '../../../evaluation/testing/suites/synthetic.ts';
import { Pacer } from '../pacing/pacer.ts';
import { spendDay } from './spend-day.ts';

const limits = { ...RUN.limits, perDay: 50 };

const served = (count: number): readonly ScriptedReply[] => Array(count).fill(okReply(40));
const brief = limitedReply('30');
/** So many 429 responses, each after an accepted request. */
const briefly = (count: number): readonly ScriptedReply[] =>
  Array.from({ length: count }, () => [...served(1), brief]).flat();
const unavailable: readonly ScriptedReply[] = Array(3).fill({ status: 503 });
const large: readonly ScriptedReply[] = Array(9).fill({ status: 200, bytes: 256 * 1024 * 1024 });
const hours = limitedReply('40000');

/** A day of 50 requests. Every request after the script is accepted; `note` is why the run sent no more. */
for (const [what, script, requests, note] of [
  ['a 429 that asks for hours', [...served(50), hours], 51, undefined],
  ['a 429 that announces no wait', [...served(50), limitedReply()], 51, undefined],
  ['the same one request earlier, which ends nothing', [...served(49), limitedReply(), hours], 51, undefined],
  ['two 429 responses, each after an accepted request', [...served(49), ...briefly(2)], 53, undefined],
  ['two, and one right after the first', [...served(49), ...briefly(1), brief, ...briefly(1)], 54, undefined],
  ['21 before the day is used', briefly(21), 42, /got 21 429 responses before the day was used/],
  ['20 before the day is used', [...briefly(20), ...served(10), hours], 51, undefined],
  ['lists of more than 512 MB', large, 3, /so large that 3 requests took 805 MB/],
  ['three unavailable responses in a row', [...served(1), ...unavailable], 4, /503/],
  [
    'the same after two that passed',
    [...served(1), ...unavailable.slice(1), ...served(1), ...unavailable],
    7,
    /503/,
  ],
  ['another status', [...served(1), { status: 404 }], 2, /404/],
  ['no 429', [], 101, /accepted 101 requests where a conforming limit of 50 a day accepts at most 100/],
  [
    'no 429, and two unavailable responses before each request',
    Array(70)
      .fill([...served(1), ...unavailable.slice(1)])
      .flat(),
    205,
    /sent 205 requests without proof/,
  ],
] as const) {
  test(`the use of a day ends after ${requests} requests: ${what}`, async () => {
    const { session, clock, received, notes } = scriptedTarget(...script);
    await clock.run(spendDay.run(new Pacer(session, limits)));
    assert.equal(received.length, requests);
    assert.match(notes().join() || 'undefined', note ?? /^undefined$/);
  });
}
