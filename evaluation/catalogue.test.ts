import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Fault, RunOption } from '../reference-server/catalogue/faults/fault.ts';
import { isOfBytes } from '../reference-server/catalogue/faults/fault.ts';
import { faults, findFault } from '../reference-server/catalogue/faults/index.ts';
import type { Seams } from '../reference-server/seams.ts';
import { register } from '../spec/register.ts';
import { sampleOf } from '../tools/sample.ts';
import { MATRIX_PAGE, renderMatrix, weaknesses } from './matrix/matrix.ts';
import type { FaultResult } from './matrix/pass.ts';
import { runFaults } from './matrix/pass.ts';
import { runWith, virtualRun } from './simulation/virtual-run.ts';
import { idsWith, reasonsOf } from './testing/verdicts.ts';

// The results of one pass over the catalogue serve the tests of each fault and of the kill matrix.

let results: readonly FaultResult[] = [];
before(async () => {
  results = await runFaults(faults);
});

const sorted = (ids: Iterable<string>): readonly string[] => [...ids].sort();

for (const { id, breaks, warnings: warns, undecidable, breaksWith } of faults) {
  const marks = `fails exactly ${breaks.join(', ') || 'nothing'}, warns of ${warns.join(', ') || 'nothing'}`;
  test(`${id} ${marks}${undecidable === undefined ? '' : ', as proven'}`, () => {
    const found = results.find(({ fault }) => fault.id === id);
    assert.ok(found !== undefined, 'there was no run against it');
    assert.deepEqual(found.fails, sorted(breaks), found.because.join('\n'));
    assert.deepEqual(found.warns, sorted(warns), found.because.join('\n'));
    if (breaks.length > 0) assert.equal(found.outcome, 'violates');
    for (const [option, ids] of Object.entries(breaksWith))
      assert.deepEqual(found.failsWith?.[option as RunOption], sorted(ids), option);
  });
}

test('without --thorough, no fault that needs it fails a requirement', async () => {
  const needThorough = faults.filter(({ needs }) => needs.includes('thorough'));
  assert.ok(needThorough.length > 0);
  for (const { id, needs, ...fault } of needThorough) {
    const others = needs.filter((option) => option !== 'thorough');
    const { record } = await virtualRun({ fault: fault as Seams, ...runWith(others) });
    assert.deepEqual(reasonsOf(record, 'fail'), [], id);
  }
});

test('no fault survives, and every MUST that a server can violate and every SHOULD finds a fault', () => {
  assert.deepEqual(weaknesses(results), []);
});

test('the committed kill matrix has the results of this pass', async () => {
  assert.equal(
    await readFile(MATRIX_PAGE, 'utf8'),
    renderMatrix(results),
    'MATRIX.md is out of date: run "npm run evaluate -- matrix", read what changed, and commit it.',
  );
});

/** What another client of the key may explain: these judges alone ask whether there may be one. */
const OF_COUNTS = /^(RATE|LIMIT|RETRY|BAN)-/;

const isAboutCounts = ({ breaks, warnings, undecidable, breaksWith }: Fault): boolean =>
  [...breaks, ...warnings, ...Object.values(breaksWith).flat(), undecidable?.requirement ?? ''].some((id) =>
    OF_COUNTS.test(id),
  );

test('with --exclusive-key every fault of counts and limits fails what it names, and no requirement stays inconclusive because of another client', async () => {
  for (const fault of sampleOf(faults.filter((one) => !isOfBytes(one) && isAboutCounts(one)))) {
    const { id, breaks, needs, breaksWith } = fault;
    const expected = breaksWith['exclusive key'] ?? breaks;
    const { record } = await virtualRun({ fault: fault as Seams, ...runWith([...needs, 'exclusive key']) });
    assert.deepEqual(sorted(idsWith(record, 'fail')), sorted(expected), id);
    for (const { because } of record.requirements) assert.doesNotMatch(because, /--exclusive-key/, id);
  }
});

test('with --strict a fault that only violates a SHOULD is non-conforming', () => {
  const observed = new Set<string>(register.filter(({ level }) => level === 'OBSERVE').map(({ id }) => id));
  const mild = faults.filter(
    (fault) =>
      !isOfBytes(fault) && fault.breaks.length === 0 && fault.warnings.some((id) => !observed.has(id)),
  );
  assert.ok(mild.length > 0);
  for (const { id } of mild)
    assert.equal(results.find(({ fault }) => fault.id === id)?.strictOutcome, 'violates', id);
});

/** A result of a fault that fails and warns of these. */
const resultOf = (id: string, fails: readonly string[] = [], warns: readonly string[] = []): FaultResult => ({
  ...{ fault: findFault(id), fails, warns, others: [], outcome: 'conforms', because: [] },
});

/** The weaknesses of one fault, without those of requirements, which find nothing else. */
const weaknessesOf = (result: FaultResult): readonly string[] =>
  weaknesses([result]).filter((sentence) => sentence.startsWith('The fault'));

const UNDECIDABLE = 'count-dropped-late-in-the-window';

test('a fault that survives is named, and none that a requirement fails or warns of', () => {
  assert.deepEqual(weaknessesOf(resultOf('list-206', ['LIST-1'])), []);
  assert.deepEqual(weaknessesOf(resultOf('list-cut-in-half', [], ['HTTP-4'])), []);
  assert.deepEqual(weaknessesOf(resultOf('list-206')), [
    'The fault list-206 survives: no requirement fails or warns, and no proof says why.',
  ]);
});

test('an undecidable fault may survive, and must not fail a requirement', () => {
  assert.deepEqual(weaknessesOf(resultOf(UNDECIDABLE)), []);
  assert.deepEqual(weaknessesOf(resultOf(UNDECIDABLE, ['LIST-1'])), [
    `The fault ${UNDECIDABLE} is declared undecidable, but it fails LIST-1.`,
  ]);
});

test('a MUST and a SHOULD that find nothing are weaknesses, unless they are exempt', () => {
  const found = weaknesses([resultOf('list-206', ['LIST-1'], ['HTTP-4'])]);
  assert.ok(found.includes('The MUST LIST-2 finds nothing: no fault fails it.'));
  assert.ok(found.includes('The SHOULD HTTP-1 finds nothing: it warns of no fault.'));
  assert.ok(!found.some((sentence) => /VER-|LIST-1 |HTTP-4 /.test(sentence)));
});
