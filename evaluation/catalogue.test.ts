import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { before, test } from 'node:test';
import { faults } from '../catalogue/index.ts';
import type { Seams } from '../reference-server/index.ts';
import { register } from '../spec/register.ts';
import { matrixFiles } from './matrix/files.ts';
import { matrixOf, weaknesses } from './matrix/matrix.ts';
import type { Found } from './matrix/pass.ts';
import { runFaults } from './matrix/pass.ts';
import { virtualRun } from './simulation/virtual-run.ts';

// One pass over the catalogue serves the faults, one by one, and the kill matrix.

let pass: readonly Found[] = [];
before(async () => {
  pass = await runFaults(faults);
});

const sorted = (ids: Iterable<string>): readonly string[] => [...ids].sort();

for (const { id, breaks, warnings: warns = [], undecidable } of faults) {
  const marks = `red exactly ${breaks.join(', ') || 'nothing'}, amber ${warns.join(', ') || 'nothing'}`;
  test(`${id} turns ${marks}${undecidable === undefined ? '' : ', as proven'}`, () => {
    const found = pass.find((one) => one.id === id);
    assert.ok(found !== undefined, 'it was not examined');
    assert.deepEqual(found.red, sorted(breaks), found.because.join('\n'));
    assert.deepEqual(found.amber, sorted(warns), found.because.join('\n'));
    if (breaks.length > 0) assert.equal(found.outcome, 'violates');
  });
}

test('no fault survives, every MUST that a server can break kills, and every SHOULD warns', () => {
  assert.deepEqual(weaknesses(matrixOf(faults, pass)), []);
});

test('the committed kill matrix is what this pass found', async () => {
  for (const [path, text] of matrixFiles(matrixOf(faults, pass))) {
    const stale = `${basename(path)} is out of date: run "npm run matrix", read what changed, and commit it.`;
    assert.equal(await readFile(path, 'utf8'), text, stale);
  }
});

test('with --exclusive-key every fault turns red what it names, and none is left open for another client’s sake', async () => {
  for (const fault of faults.filter(({ kind }) => kind !== 'bytes')) {
    const { id, breaks, breaksIfKeyIsExclusive = breaks } = fault;
    const withDisposableKey = breaks.some((broken) => broken.startsWith('BAN'));
    const { record } = await virtualRun({ fault: fault as Seams, withDisposableKey, exclusiveKey: true });
    const red = record.requirements.filter(({ verdict }) => verdict === 'fail');
    assert.deepEqual(sorted(red.map((one) => one.id)), sorted(breaksIfKeyIsExclusive), id);
    for (const { because } of record.requirements) assert.doesNotMatch(because, /--exclusive-key/, id);
  }
});

test('with --strict a fault that only breaks a SHOULD is no longer called conforming', async () => {
  const observed = new Set<string>(register.filter(({ level }) => level === 'OBSERVE').map(({ id }) => id));
  const mild = faults.filter(
    ({ kind, breaks, warnings = [] }) =>
      kind !== 'bytes' && breaks.length === 0 && warnings.some((id) => !observed.has(id)),
  );
  assert.ok(mild.length > 0);
  for (const fault of mild) {
    const { record } = await virtualRun({ fault, strict: true });
    assert.equal(record.outcome, 'violates', fault.id);
  }
});
