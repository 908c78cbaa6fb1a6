import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { counts, gets, inTurn, isRateLimited, used } from '../../../evaluation/testing/suites/uses.ts';
import { assertPage } from '../../../evaluation/testing/tools/page.ts';
import { inconclusive, notTested, pass } from '../../../kernel/findings/judgement.ts';
import type { Finding } from '../../../kernel/findings/record.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import type { AlgorithmName } from '../../../reference-server/limiters/index.ts';
import { algorithms } from '../../../reference-server/limiters/index.ts';
import { preflight } from '../probes/preflight.ts';
import { recount } from '../probes/recount.ts';
import { requirements } from '../requirements/index.ts';
import { circumstances, firewallRemarks, judgedByClocks } from './circumstances.ts';
import { Evidence } from './evidence.ts';
import { accounted, whileLost } from './locked-out.ts';
import { IF_NO_OTHER_CLIENT, miscounted, sharedUse, takenByOthers } from './uses.ts';

/** Requests that are alike but for their answers, by the key where no letter says otherwise, and the numbers of those that prove something. */
const inTurns: Readonly<Record<string, string>> = {
  'K200 K200': '1 2',
  'K429 K200': '2',
  'O429 O200': '1 2',
  'K200 K429': '1 2',
  'K503 K200': '2',
  'K500 K200': '2',
  'K500 K200 K500 K200 K500 K200': '1 2 3 4 5 6',
  'K500 K200 K500 K200': '2 4',
  'K400 K200': '1 2',
  'K- K200': '1 2',
};

const others: Readonly<Record<string, readonly [sent: readonly StagedExchange[], proving: string]>> = {
  'accepted after a 429 of the key in another form': [
    [{ status: 429, left: 0, caller: 'unspecified' }, { caller: 'unspecified' }],
    '2',
  ],
  'accepted after a kept connection was closed': [[{ noResponse: 'reset' }, {}], '2'],
};

const proofs = [
  ...Object.entries(inTurns).map(([sent, proving]) => [sent, inTurn(sent), proving] as const),
  ...Object.entries(others).map(([what, [sent, proving]]) => {
    const run = new Synthesis().add(...sent.map((one) => ({ probe: 'preflight', ...one })));
    return [what, run.exchanges, proving] as const;
  }),
];

for (const [what, exchanges, proving] of proofs) {
  test(`what proves something of requests: ${what}`, () => {
    const found = new Evidence(RUN, [RUN, ...exchanges]).of('preflight');
    assert.equal(found.map(({ n }) => n).join(' '), proving);
  });
}

/** Requests that lower Remaining by these numbers, and after two idle windows as many in another order, from so many on. */
function foundIn(first: readonly number[], again: readonly number[], from = 59): string | undefined {
  const shown = (falls: readonly number[], begun = 59) => {
    let left = begun;
    return falls.map((fall) => {
      left -= fall;
      return left;
    });
  };
  const run = counts(...gets(...shown(first))).wait(121);
  run.add({ probe: 'preflight', step: preflight.steps.baselineAfterIdle, left: from });
  for (const left of shown(again, from))
    run.add({ probe: recount.id, step: recount.steps.anotherOrder, left });
  const evidence = new Evidence(RUN, run.lines());
  return miscounted(evidence)?.explanation.kind;
}

/** A fall that another client can cause, and then requests that are not counted. */
const RISES = [1, 4, 0, 0, 0, 0, 0];
const FALLS = [1, 4, 1, 1, 3];
const EXACT = [1, 1, 1, 1, 1];

for (const [what, first, again, kind, from] of [
  ['at first and again', RISES, RISES, 'not counted'],
  ['at first and again, where a quarter of the quota was used before', RISES, RISES, 'not counted', 45],
  ['at first and again, where another client used more before', RISES, RISES, 'fell beyond use', 44],
  ['at first alone', RISES, EXACT, 'fell beyond use'],
  ['at first, and then another client', RISES, FALLS, 'fell beyond use'],
  ['after another client', FALLS, RISES, 'fell beyond use'],
  ['never', EXACT, EXACT, undefined],
] as const) {
  test(`requests are not counted ${what}: ${kind ?? 'nothing is found'}`, () => {
    assert.equal(foundIn(first, again, from), kind);
  });
}

async function findings(run: VirtualRun): Promise<readonly Finding[]> {
  return (await virtualRun(run)).record.requirements;
}

const ids = (found: readonly Finding[], verdict: Finding['verdict']): readonly string[] =>
  found.filter((one) => one.verdict === verdict).map(({ id }) => id);

/** One request of another client each `seconds`, from one moment on for six minutes: milliseconds since the beginning. */
const client = (fromMs: number, seconds: number): readonly number[] =>
  Array.from({ length: Math.ceil(360 / seconds) }, (_, i) => fromMs + i * seconds * 1000);

test('every verdict that another client leaves open says how to rule that client out', async () => {
  const found = await findings({ otherClientTimes: client(0, 3) });
  assert.deepEqual(ids(found, 'fail'), []);
  const open = found.filter(({ because }) => /[Aa]nother client/.test(because));
  assert.ok(open.length >= 3, `${open.length} verdicts speak of another client`);
  for (const { id, because } of open) assert.ok(because.includes(IF_NO_OTHER_CLIENT), `${id}: ${because}`);
});

test('with --exclusive-key nothing is left open for another client’s sake', async () => {
  const fault = findFault('a-third-at-each-of-three-replicas');
  const shared = await findings({ fault });
  assert.deepEqual(ids(shared, 'fail'), fault.breaks);
  assert.ok(ids(shared, 'inconclusive').includes('LIMIT-2'));
  const exclusive = await findings({ fault, exclusiveKey: true });
  assert.deepEqual(ids(exclusive, 'fail').toSorted(), fault.breaksWith['exclusive key']);
  for (const { because } of exclusive) assert.doesNotMatch(because, /another client|exclusive-key/i);
});

test('a target that conforms is asked nothing more for another client’s sake, and one that looks faulty is', async () => {
  const asked = async (run: VirtualRun): Promise<number> =>
    edit.exchangesIn((await virtualRun(run)).lines, edit.asked(recount.id)).length;
  assert.equal(await asked({}), 0);
  const fault = findFault('remaining-two-less-on-400');
  assert.ok((await asked({ fault })) > 40);
  assert.equal(await asked({ fault, exclusiveKey: true }), 0);
});

const never = (found: readonly Finding[]): string | undefined =>
  found.find(({ id, verdict }) => id === 'RETRY-3' && verdict === 'fail')?.because;

test('with --exclusive-key a key that is never accepted again violates RETRY-3', async () => {
  const fault = findFault('limit-never-comes-back');
  assert.equal(never(await findings({ fault })), undefined);
  assert.ok(never(await findings({ fault, exclusiveKey: true })) !== undefined);
});

/** Clients that begin after the first 429 and keep a limit of sixty a minute busy. */
const late: readonly (readonly [AlgorithmName, fromMs: number, seconds: number])[] = algorithms.flatMap(
  (algorithm) => [
    [algorithm, 2_000, 1] as const,
    [algorithm, 4_000, 0.3] as const,
    [algorithm, 20_000, 0.1] as const,
    [algorithm, 61_500, 0.05] as const,
  ],
);

for (const [algorithm, fromMs, seconds] of late) {
  test(`another client that begins at ${fromMs} ms and sends every ${seconds} s blames no ${algorithm}`, async () => {
    const found = await findings({ algorithm, otherClientTimes: client(fromMs, seconds) });
    assert.deepEqual(ids(found, 'fail'), []);
  });
}

const afterIdle = (run: Synthesis, staged: StagedExchange): Synthesis =>
  run.wait(122).add({ probe: 'preflight', step: preflight.steps.baselineAfterIdle, ...staged });
const refused = isRateLimited(60);
const ofDay = (left: number): StagedExchange => ({ left, limit: 1000 });

/** Runs of a key that another client may use, too. */
const shared: Readonly<Record<string, Synthesis>> = {
  'requests and a 429': used(60).add(refused),
  'a fall beyond use': counts(...gets(58, 56)).add(refused),
  'a fall beyond use into the 429': counts(...gets(58, 57)).add(refused),
  'requests that are not counted': counts(...gets(58, 58, 58, 58, 58, 58)).add(
    isRateLimited(60, { left: 57 }),
  ),
  'less after two idle windows': afterIdle(used(5), { left: 40 }).add({ left: 39 }),
  'as little after each two idle windows': afterIdle(afterIdle(new Synthesis(), { left: 40 }), { left: 40 }),
  'a 429 after two idle windows': afterIdle(used(5), refused),
  'a 429 after two idle windows and another 429': afterIdle(used(60).add(refused), refused),
  'a 429 after an idle window': used(5).wait(61).add(refused),
  'a 429 after an idle window and another 429': used(60).add(refused).wait(61).add(refused),
  'a day that falls beyond use after a pause': used(3, ofDay(900)).wait(61).add(ofDay(890)).add(refused),
  'a day that falls as it is used': counts(ofDay(900), ofDay(899)).wait(61).add(ofDay(898)).add(refused),
};

/** Which exchanges show another client, and whether one may have taken part in the last 429. */
function clientsIn(run: Synthesis, exclusiveKey: boolean): string {
  const line = { ...RUN, inputs: { ...RUN.inputs, exclusiveKey } };
  const evidence = new Evidence(line, run.lines(line));
  const others = sharedUse(evidence)?.map(({ n }) => n) ?? [];
  const limited = evidence.exchanges.findLast(edit.answered(429));
  const taken = limited !== undefined && takenByOthers(evidence, limited);
  const seen = others.length > 0 ? `seen in ${others.join(', ')}` : 'not seen';
  return taken ? `${seen}, and may have caused the last 429` : seen;
}

test('another client of a key is seen where it is known to be seen, and never of an exclusive key', () => {
  let page = '';
  for (const [what, run] of Object.entries(shared)) {
    assert.equal(clientsIn(run, true), 'not seen', what);
    page += `${what}: ${clientsIn(run, false)}\n`;
  }
  assertPage('suites/service/evidence/uses.txt', page);
});

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

const htmlPage: StagedExchange = { method: 'POST', status: 403, body: '<html></html>' };

for (const [what, run, remark] of [
  [
    'seven pages of HTML',
    served(2).add(...Array.from({ length: 7 }, () => htmlPage)),
    /^7 creations .* and 1 other\. /,
  ],
  ['one page of HTML', served(2).add(htmlPage), /^1 creation .* \(403\) .*: exchange 3 \("one by one"\)\. /],
  ['a page of HTML with the headers of the service', served(2).add({ ...htmlPage, left: 5 }), undefined],
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

const list: StagedExchange = { left: 50 };
const creation: StagedExchange = { method: 'POST', status: 201, left: 50 };
const refusedList: StagedExchange = { status: 401, left: 0 };
const refusedCreation: StagedExchange = { method: 'POST', status: 403, left: 50 };
const told = (seconds: number): StagedExchange => ({
  ...refusedCreation,
  headers: [['Retry-After', String(seconds)]],
});

/** What was asked, and how many of the last of it count for nothing, since the key was banned. */
const lostKeyRows: Readonly<Record<string, readonly [asked: readonly StagedExchange[], lost: number]>> = {
  'a key that works': [[list, creation, list], 0],
  'a key that returns 401 whatever it asks': [[list, creation, refusedList, refusedCreation, refusedList], 3],
  'the same, with a 429 and a silence between': [
    [list, refusedList, { status: 429, left: 0 }, refusedCreation, { noResponse: 'timeout' }, refusedList],
    3,
  ],
  'a key that was never accepted': [[refusedList, refusedCreation, refusedList], 0],
  'two refusals, which a list may deserve': [[list, refusedList, refusedList], 0],
  'creations that are refused for what is in them': [
    [list, creation, refusedCreation, refusedCreation, refusedCreation, list],
    0,
  ],
  'a single one that states when to come back': [[list, told(60)], 1],
  'one that states it to a key that never worked': [[told(60), list], 0],
};

for (const [description, [asked, count]] of Object.entries(lostKeyRows)) {
  test(`${description}: ${count} of what was asked is about a ban`, () => {
    const run = new Synthesis();
    for (const one of asked) run.add(one);
    const lost = whileLost(run.exchanges);
    const limitedExchanges = run.exchanges.filter(
      ({ outcome }) => outcome.kind === 'answer' && [401, 403].includes(outcome.status),
    );
    assert.deepEqual([...lost], limitedExchanges.slice(limitedExchanges.length - count));
  });
}

const { lines } = await virtualRun();
const whole = edit.exchangesIn(lines);

test('the exchanges of a whole journal stay as they are, and one that stands there twice counts once', () => {
  assert.deepEqual(accounted(whole), whole);
  assert.deepEqual(accounted(whole.flatMap((one) => [one, one])), whole);
});

test('for those that are missing there stand exchanges of the key without an answer, at any time in between', () => {
  const found = accounted(whole.filter(({ n }) => n !== 10 && n !== 11));
  assert.deepEqual(
    found.map(({ n }) => n),
    whole.map(({ n }) => n),
  );
  for (const { caller, outcome, sent, received } of found.slice(9, 11)) {
    assert.deepEqual([caller, outcome.kind], ['key', 'no-response']);
    assert.deepEqual([sent, received], [whole[8]?.sent, whole[11]?.received]);
  }
});

test('the first may be missing, and numbers that are no numbers of one run are left alone', () => {
  assert.equal(accounted(whole.slice(3)).length, whole.length);
  const [first] = whole;
  assert.ok(first !== undefined);
  assert.equal(accounted([first, { ...first, n: 1e15 }]).length, 2);
});
