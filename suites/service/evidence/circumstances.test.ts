import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { inconclusive, notTested, pass } from '../../../kernel/findings/judgement.ts';
import { requirements } from '../requirements/index.ts';
import { circumstances, firewallRemarks, judgedByClocks } from './circumstances.ts';
import { Evidence } from './evidence.ts';

const unavailable: StagedExchange = { status: 503 };

/** So many requests that were served one at a time, over a connection that stays open. */
const served = (count: number): Synthesis => {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1) run.add({ left: 59 - i });
  return run;
};

/** Three at the same time, of which the last one is turned away. */
const inFlight = (run: Synthesis, turned: StagedExchange = unavailable): Synthesis =>
  run.together(3, (i) => (i === 2 ? turned : {}));

/** Requests one after another, each over a new connection. */
function overNew(run: Synthesis, ...all: readonly StagedExchange[]): Synthesis {
  for (const one of all) run.add({ fresh: true, connection: run.exchanges.length + 2, ...one });
  return run;
}

const five = Array.from({ length: 5 }, (): StagedExchange => ({}));
const turnedAfter = (others: readonly StagedExchange[], kept = 10): Synthesis =>
  overNew(served(kept), ...others, unavailable, unavailable);

const rows: Readonly<Record<string, readonly [run: Synthesis, only: string | undefined]>> = {
  'one of three at the same time': [inFlight(served(10)), 'in flight'],
  'one of three at the same time by a 429 that shows quota left': [
    inFlight(served(10), { status: 429, left: 30 }),
    'in flight',
  ],
  'by a 429 that shows no quota': [inFlight(served(10), { status: 429, left: 0 }), undefined],
  'one of three at the same time, beside others that failed': [
    inFlight(served(9).add({ status: 500 })),
    undefined,
  ],
  'one alone as well': [inFlight(served(10)).add(unavailable), undefined],
  'two over new connections, after four others': [turnedAfter(five.slice(1)), undefined],
  'and as many others over kept connections and early ones as decide it': [
    turnedAfter(five, 5),
    'over new connections',
  ],
  'and one fewer': [turnedAfter(five, 4), undefined],
  'and one fewer, with one more over a new connection afterwards': [
    overNew(turnedAfter(five, 4), {}),
    undefined,
  ],
  'and one over another connection': [turnedAfter(five).add(unavailable), undefined],
};

for (const [what, [run, only]] of Object.entries(rows)) {
  test(`what requests have in common that were turned away: ${what}`, () => {
    assert.equal(circumstances(new Evidence(RUN, run.lines()))?.only, only);
  });
}

const page: StagedExchange = { method: 'POST', status: 403, body: '<html></html>' };

for (const [what, run, remark] of [
  [
    'seven pages of HTML',
    served(2).add(...Array.from({ length: 7 }, () => page)),
    /^7 creations .* and 1 other\. /,
  ],
  ['one page of HTML', served(2).add(page), /^1 creation .* \(403\) .*: exchange 3 \("one by one"\)\. /],
  ['a page of HTML with the headers of the service', served(2).add({ ...page, left: 5 }), undefined],
] as const) {
  test(`creations that got ${what} have ${remark === undefined ? 'no' : 'a'} remark about a firewall`, () => {
    const [found, ...more] = firewallRemarks(new Evidence(RUN, run.lines()));
    assert.deepEqual(more, []);
    if (remark === undefined) assert.equal(found, undefined);
    else assert.match(found ?? '', remark);
  });
}

test('by a clock that was set only what was decided becomes undecided', () => {
  const timed = requirements.find(({ id }) => id === 'LIMIT-1');
  const found = [pass('Kept.'), inconclusive('Nobody knows.'), notTested('It was not sent.')];
  const judged = (run: Synthesis) =>
    found.map((one) => {
      assert.ok(timed !== undefined);
      return judgedByClocks({ ...timed, judge: () => one }, new Evidence(RUN, run.lines()));
    });
  assert.deepEqual(judged(served(3)), found);
  const [decided, ...others] = judged(served(3).add({ date: START - 100 }));
  assert.equal(decided?.verdict, 'inconclusive');
  assert.deepEqual(others, found.slice(1));
});
