import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScriptedReply } from '../../../evaluation/testing/suites/scripted-target.ts';
import { limitedReply, okReply, scriptedTarget } from '../../../evaluation/testing/suites/scripted-target.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { Pacer } from '../pacing/pacer.ts';
import { paceAfterBurst, pacedWindow } from './paced-window.ts';
import { spendDay } from './spend-day.ts';

interface Case {
  /** How many requests were answered before the 429; 20 by default. */
  readonly burst?: number;
  /** What comes after the 429. */
  readonly retry?: StagedExchange;
  /** How many requests follow at the pace of the plan, a second apart and the first as a creation, if not stated otherwise. */
  readonly paced: number;
  readonly apart?: number;
  readonly creations?: number;
  readonly last?: StagedExchange;
}

/** What requests at the pace show after a burst that ended in a 429 which asks for a window. */
function shownBy({ burst = 20, retry = {}, paced, apart = 1, creations = 1, last = {} }: Case): string {
  const run = new Synthesis();
  for (let i = 0; i < burst; i += 1) run.add({ left: 59 - i });
  run.add({ status: 429, left: 0, headers: [['Retry-After', '60']] }).wait(60);
  run.add({ probe: 'recovery', left: 59, ...retry });
  for (let i = 0; i < paced; i += 1) {
    run.wait(apart);
    const method = i < creations ? 'POST' : 'GET';
    run.add({ probe: pacedWindow.id, method, left: 40, ...(i === paced - 1 ? last : {}) });
  }
  return paceAfterBurst(run.exchanges, RUN.limits);
}

const cases: Readonly<Record<string, readonly [case_: Case, kind: string]>> = {
  'all were accepted': [{ paced: 65 }, 'kept'],
  'one too few was sent': [{ paced: 64 }, 'too few'],
  'more than half of the limit came before, so two windows are needed': [{ burst: 31, paced: 65 }, 'too few'],
  'two windows, after more than half of the limit': [{ burst: 31, paced: 125 }, 'kept'],
  'half of the limit came before, so one window is enough': [{ burst: 30, paced: 65 }, 'kept'],
  'a window holds one more than the burst, over a slow link': [{ paced: 65, apart: 2.85 }, 'kept'],
  'a window holds no more than the burst, over a slow link': [{ paced: 65, apart: 2.9 }, 'too few'],
  'none was a creation': [{ paced: 65, creations: 0 }, 'nothing'],
  'one was not answered': [{ paced: 65, last: { noResponse: 'timeout' } }, 'too few'],
  'none was sent': [{ paced: 0 }, 'nothing'],
  'none was sent, because the target did not respond': [
    { paced: 0, retry: { noResponse: 'timeout' } },
    'too few',
  ],
  'the burst was no shorter than the limit': [{ burst: 60, paced: 125 }, 'nothing'],
};

for (const [what, [one, kind]] of Object.entries(cases)) {
  test(`the pace of the plan after a burst: ${what}`, () => {
    assert.equal(shownBy(one), kind);
  });
}

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
