import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import type { FaultLine, Matrix, RequirementLine } from './matrix.ts';
import { EXEMPT, matrixOf, weaknesses } from './matrix.ts';
import type { FaultResult } from './pass.ts';

const FAILING = findFault('list-206');
const UNDECIDABLE = findFault('count-dropped-late-in-the-window');
const BYTES = findFault('list-cut-in-half');

const results: readonly FaultResult[] = [
  {
    id: FAILING.id,
    fails: ['LIST-1'],
    warns: ['HTTP-4'],
    others: ['LIMIT-4 inconclusive'],
    outcome: 'violates',
    because: [],
  },
  { id: UNDECIDABLE.id, fails: [], warns: [], others: [], outcome: 'conforms', because: [] },
  {
    id: BYTES.id,
    fails: [],
    warns: ['HTTP-4'],
    others: ['LIMIT-4 inconclusive'],
    outcome: 'incomplete',
    because: [],
  },
];
const matrix = matrixOf([FAILING, UNDECIDABLE, BYTES], results);

/** The same matrix with these faults, in which every requirement finds a fault. */
function withLines(...faults: readonly FaultLine[]): Matrix {
  const requirements = matrix.requirements.map((one) => ({ ...one, failedBy: 1, warnedBy: 1 }));
  return { faults, requirements };
}

const line = (changed: Partial<FaultLine>): FaultLine => ({
  id: 'a-fault',
  chapter: 'List categories',
  visibleIn: 'responses',
  fails: [],
  warns: [],
  others: [],
  outcome: 'conforms',
  ...changed,
});

const column = (id: string): RequirementLine | undefined =>
  matrix.requirements.find((requirement) => requirement.id === id);

test('a matrix counts the faults that each requirement finds', () => {
  assert.deepEqual(column('LIST-1'), { id: 'LIST-1', level: 'MUST', failedBy: 1, warnedBy: 0 });
  assert.deepEqual(column('HTTP-4'), { id: 'HTTP-4', level: 'SHOULD', failedBy: 0, warnedBy: 2 });
  assert.equal(column('VER-1')?.exempt, EXEMPT.get('VER-1'));
});

test('a matrix has no weakness if every fault is found and every requirement finds one', () => {
  assert.deepEqual(weaknesses(withLines(line({ fails: ['LIST-1'] }), line({ warns: ['HTTP-4'] }))), []);
});

test('a fault that survives is named', () => {
  assert.deepEqual(weaknesses(withLines(line({}))), [
    'The fault a-fault survives: no requirement fails or warns, and no proof says why.',
  ]);
});

test('an undecidable fault may survive, and must not fail a requirement', () => {
  const undecidable = { requirement: 'LIST-1', because: 'A conforming service does the same.' };
  assert.deepEqual(weaknesses(withLines(line({ undecidable }))), []);
  assert.deepEqual(weaknesses(withLines(line({ undecidable, fails: ['LIST-1'] }))), [
    'The fault a-fault is declared undecidable, but it fails LIST-1.',
  ]);
});

test('a MUST and a SHOULD that find nothing are weaknesses, unless they are exempt', () => {
  const found = weaknesses(matrix);
  assert.ok(found.includes('The MUST LIST-2 finds nothing: no fault fails it.'));
  assert.ok(found.includes('The SHOULD HTTP-1 finds nothing: it warns of no fault.'));
  assert.ok(!found.some((sentence) => sentence.includes('VER-') || sentence.includes('LIST-1 ')));
});
