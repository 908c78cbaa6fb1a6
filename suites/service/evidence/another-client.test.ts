import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { Finding } from '../../../kernel/findings/record.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import type { AlgorithmName } from '../../../reference-server/limiters/index.ts';
import { algorithms } from '../../../reference-server/limiters/index.ts';
import { IF_NO_OTHER_CLIENT } from './another-client.ts';

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
  assert.deepEqual(ids(exclusive, 'fail').toSorted(), fault.breaksWith?.['exclusive key']);
  for (const { because } of exclusive) assert.doesNotMatch(because, /another client|exclusive-key/i);
});

test('a target that conforms is asked nothing more for another client’s sake, and one that looks faulty is', async () => {
  const asked = async (run: VirtualRun): Promise<number> =>
    (await virtualRun(run)).lines.filter((line) => line.kind === 'exchange' && line.probe === 'recount')
      .length;
  assert.equal(await asked({}), 0);
  const fault = findFault('remaining-two-less-on-400');
  assert.ok((await asked({ fault })) > 40);
  assert.equal(await asked({ fault, exclusiveKey: true }), 0);
});

const never = (found: readonly Finding[]): string | undefined =>
  found.find(({ id, verdict }) => id === 'RETRY-3' && verdict === 'fail')?.because;

test('with --exclusive-key a key that is never accepted again violates RETRY-3, whatever window it announces', async () => {
  for (const id of ['limit-never-comes-back', 'limit-never-comes-back-aligned'] as const) {
    const fault = findFault(id);
    assert.equal(never(await findings({ fault })), undefined);
    assert.ok(never(await findings({ fault, exclusiveKey: true })) !== undefined, id);
  }
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
