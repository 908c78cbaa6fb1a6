import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { counts, gets, isRateLimited, used } from '../../../evaluation/testing/suites/uses.ts';
import { assertPage } from '../../../evaluation/testing/tools/page.ts';
import type { Finding } from '../../../kernel/findings/record.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import type { AlgorithmName } from '../../../reference-server/limiters/index.ts';
import { algorithms } from '../../../reference-server/limiters/index.ts';
import { preflight } from '../probes/preflight.ts';
import { recount } from '../probes/recount.ts';
import { Evidence } from './evidence.ts';
import { IF_NO_OTHER_CLIENT, miscounted, sharedUse, takenByOthers } from './uses.ts';

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
