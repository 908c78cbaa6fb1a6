import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { paceAfterBurst, pacedWindow } from './paced-window.ts';

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
