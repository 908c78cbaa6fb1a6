import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusOf } from '../kernel/exchanges/headers.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import type { Selection } from '../kernel/findings/tested.ts';
import type { Fault } from '../reference-server/catalogue/faults/fault.ts';
import { isOfBytes } from '../reference-server/catalogue/faults/fault.ts';
import { faults } from '../reference-server/catalogue/faults/index.ts';
import { variants } from '../reference-server/catalogue/variants/index.ts';
import { register } from '../spec/register.ts';
import { quickIds } from '../suites/service/run/select.ts';
import { sampleOf } from '../tools/sample.ts';
import type { VirtualRun } from './simulation/virtual-run.ts';
import { runAgainst, runWith, virtualRun } from './simulation/virtual-run.ts';
import { idsWith } from './testing/verdicts.ts';

const ids = register.filter(({ judged }) => judged === 'by certify').map(({ id }) => id);
const only = (id: string): VirtualRun => ({ selection: { kind: 'selected', requirements: [id] } });
const quick: VirtualRun & { readonly selection: Selection } = {
  selection: { kind: 'quick', requirements: [...quickIds] },
};

const verdictOf = ({ requirements }: RunRecord, id: string) =>
  requirements.find((one) => one.id === id)?.verdict;

/** What a complete run shows and a run of one requirement does not, with the reason. */
const ONLY_IN_COMPLETE_RUN: Readonly<Record<string, string>> = {
  'list-stops-at-twenty LIST-3': 'a complete run creates more categories than a run of LIST-3',
  'list-forgets-the-oldest LIST-3': 'a complete run creates more categories than a run of LIST-3',
  'client-id-overwrites LIST-3': 'creations with an id belong to CREATE-12',
  'date-becomes-a-moment CREATE-3': 'a complete run sends more descriptions than a run of CREATE-3',
  'day-retry-after-absent RETRY-1': 'the day is used for LIMIT-9 alone',
  'unauthenticated-429-without-retry-after RETRY-1':
    'a complete run sends more requests without a valid key in one window',
};

test('a run of one requirement judges it alone, never says that the target conforms, and exceeds the limit only where it must', async () => {
  for (const id of sampleOf(ids)) {
    const { record, plan, lines } = await virtualRun(only(id));
    assert.deepEqual(idsWith(record, 'fail', 'warn'), [], id);
    assert.equal(record.outcome, 'incomplete', id);
    const judged = record.requirements.filter(({ verdict }) => verdict !== 'not-tested');
    for (const one of judged) assert.deepEqual([one.id, one.verdict], [id, 'pass']);
    assert.equal(record.requests.keyed, plan.total.withKey, id);
    const limited = lines.filter(
      (line) => line.kind === 'exchange' && line.caller === 'key' && statusOf(line) === 429,
    );
    assert.equal(limited.length, plan.seconds === 0 ? 0 : 1, id);
  }
  const { record } = await virtualRun(only('CREATE-4'));
  assert.equal(record.requests.keyed, 19);
});

test('a run of one requirement fails it wherever a complete run does', async () => {
  const pairs = faults
    .filter((fault) => !isOfBytes(fault))
    .flatMap((fault) => fault.breaks.map((id) => ({ fault, id, name: `${fault.id} ${id}` })));
  const known = Object.keys(ONLY_IN_COMPLETE_RUN);
  const gone = known.filter((name) => !pairs.some((pair) => pair.name === name));
  assert.deepEqual(gone, []);
  for (const { fault, id, name } of sampleOf(pairs)) {
    const { record } = await virtualRun({
      fault: fault as Fault & VirtualRun['fault'],
      ...runWith(fault.needs),
      ...only(id),
    });
    assert.equal(verdictOf(record, id) === 'fail', !known.includes(name), name);
  }
});

test('no conforming variant fails in a quick run, or in runs of one requirement', async () => {
  const each = Number(process.env['SELECTION_IDS'] ?? 1);
  const simulated = variants.filter(({ testedWith }) => testedWith !== 'sockets');
  for (const [at, variant] of sampleOf([...simulated.entries()])) {
    // Over all variants, every requirement has its turn.
    const some = Array.from({ length: each }, (_, n) => ids[(at * each + n) % ids.length] ?? '');
    for (const selection of [quick, ...some.map(only)]) {
      const { record } = await virtualRun({ ...runAgainst(variant), ...selection });
      const where = `${variant.id}, ${JSON.stringify(selection)}`;
      assert.deepEqual(idsWith(record, 'fail'), [], where);
      const unexpected = idsWith(record, 'warn').filter((id) => !variant.warnings.some((one) => one === id));
      assert.deepEqual(unexpected, [], where);
    }
  }
});

test('a quick run sends at most twenty requests with the key, meets no 429, waits for nothing and tests what it names', async () => {
  const { record, plan, lines } = await virtualRun(quick);
  assert.ok(record.requests.keyed <= 20);
  assert.equal(record.requests.keyed, plan.total.withKey);
  assert.equal(plan.seconds, 0);
  assert.ok(!lines.some((line) => line.kind === 'wait'));
  assert.ok(
    !lines.some((line) => line.kind === 'exchange' && line.caller === 'key' && statusOf(line) === 429),
  );
  const tested = idsWith(record, 'pass');
  const needsInput = ['VER-2'];
  assert.deepEqual(
    record.requirements.filter(({ id }) => quickIds.has(id) && !needsInput.includes(id)).map(({ id }) => id),
    tested,
  );
  assert.equal(record.outcome, 'incomplete');
});

test('a quick run fails nothing but what the fault violates, and finds a third of the faults', async () => {
  const violating = sampleOf(faults.filter((fault) => !isOfBytes(fault) && fault.breaks.length > 0));
  let found = 0;
  for (const fault of violating) {
    const { record } = await virtualRun({ fault: fault as Fault & VirtualRun['fault'], ...quick });
    const failed = idsWith(record, 'fail');
    const others = failed.filter((id) => !fault.breaks.some((one) => one === id));
    assert.deepEqual(others, [], fault.id);
    if (failed.length > 0) found += 1;
  }
  // Most of the others break a limit, which shows only where it is reached.
  assert.ok(found > violating.length / 3, `${found} of ${violating.length}`);
});

test('a quick run does not wait for a key that was used shortly before', async () => {
  const { record, lines } = await virtualRun({ ...quick, otherClientTimes: [0, 0, 0, 0, 0] });
  assert.deepEqual(idsWith(record, 'fail', 'warn'), []);
  assert.ok(!lines.some((line) => line.kind === 'wait'));
});
