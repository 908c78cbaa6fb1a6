import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../reference-server/index.ts';
import { faults } from '../reference-server/index.ts';
import { register } from '../spec/register.ts';
import type { RunRecord } from '../suites/index.ts';
import { virtualRun } from './virtual/virtual-run.ts';

/** These rest on the address and on a document, which no behaviour of a server changes. */
const NOT_A_BEHAVIOUR = new Set(['VER-1', 'VER-2']);

const sorted = (ids: Iterable<string>): readonly string[] => [...ids].sort();

const red = ({ requirements }: RunRecord): readonly string[] =>
  sorted(requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));

const amber = ({ requirements, observations }: RunRecord): readonly string[] =>
  sorted([
    ...requirements.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id),
    ...observations.filter(({ warning }) => warning !== undefined).map(({ id }) => id),
  ]);

const examined = (fault: Fault) =>
  virtualRun({ fault, sacrifice: fault.breaks.some((id) => id.startsWith('BAN')) });

for (const fault of faults) {
  test(`${fault.id} turns red exactly ${fault.breaks.join(', ') || 'nothing'}`, async () => {
    const { record } = await examined(fault);
    const why = record.requirements
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ id, because }) => `${id}: ${because}`)
      .join('\n');
    assert.deepEqual(red(record), sorted(fault.breaks), why);
    assert.deepEqual(amber(record), sorted(fault.warns ?? []));
    if (fault.breaks.length > 0) assert.equal(record.outcome, 'violates');
  });
}

test('with --strict a fault that only breaks a SHOULD is no longer called conforming', async () => {
  const observed = new Set<string>(register.filter(({ level }) => level === 'OBSERVE').map(({ id }) => id));
  const mild = faults.filter(
    ({ breaks, warns = [] }) => breaks.length === 0 && warns.some((id) => !observed.has(id)),
  );
  assert.ok(mild.length > 0);
  for (const fault of mild) {
    const { record } = await virtualRun({ fault, strict: true });
    assert.equal(record.outcome, 'violates', fault.id);
  }
});

test('every MUST that a server can violate has a fault that turns it red', () => {
  const broken = new Set<string>(faults.flatMap(({ breaks }) => breaks));
  const musts = register.filter(
    ({ level, judged, id }) => level === 'MUST' && judged === 'by certify' && !NOT_A_BEHAVIOUR.has(id),
  );
  assert.deepEqual(
    musts.map(({ id }) => id).filter((id) => !broken.has(id)),
    [],
  );
});

test('every SHOULD has a fault that it warns of', () => {
  const warned = new Set<string>(faults.flatMap(({ warns = [] }) => warns));
  const shoulds = register.filter(({ level, judged }) => level === 'SHOULD' && judged === 'by certify');
  assert.deepEqual(
    shoulds.map(({ id }) => id).filter((id) => !warned.has(id)),
    [],
  );
});
