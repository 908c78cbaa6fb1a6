import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFault } from '../../catalogue/index.ts';
import { renderMatrix } from './markdown.ts';
import type { FaultLine, Matrix, RequirementLine } from './matrix.ts';
import { EXEMPT, matrixOf, weaknesses } from './matrix.ts';
import type { Found } from './pass.ts';

const RED = findFault('list-206');
const UNSEEN = findFault('window-of-55-seconds');
const BYTES = findFault('list-cut-in-half');

const found: readonly Found[] = [
  { id: RED.id, red: ['LIST-1'], amber: ['HTTP-4'], outcome: 'violates', because: [] },
  { id: UNSEEN.id, red: [], amber: [], outcome: 'conforms', because: [] },
  { id: BYTES.id, red: [], amber: ['HTTP-4'], outcome: 'incomplete', because: [] },
];
const matrix = matrixOf([RED, UNSEEN, BYTES], found);

/** The same matrix where every requirement kills something, so that one weakness can be seen alone. */
function withLines(...faults: readonly FaultLine[]): Matrix {
  const requirements = matrix.requirements.map((one) => ({ ...one, red: 1, amber: 1 }));
  return { schemaVersion: 1, faults, requirements };
}

const line = (changed: Partial<FaultLine>): FaultLine => ({
  id: 'a-fault',
  chapter: 'List categories',
  visibleIn: 'responses',
  red: [],
  amber: [],
  outcome: 'conforms',
  ...changed,
});

const column = (id: string): RequirementLine | undefined =>
  matrix.requirements.find((requirement) => requirement.id === id);

test('a matrix counts what each requirement turned red and amber', () => {
  assert.deepEqual(column('LIST-1'), { id: 'LIST-1', level: 'MUST', red: 1, amber: 0 });
  assert.deepEqual(column('HTTP-4'), { id: 'HTTP-4', level: 'SHOULD', red: 0, amber: 2 });
  assert.equal(column('VER-1')?.exempt, EXEMPT.get('VER-1'));
});

test('nothing is wrong with a matrix in which every fault shows and every requirement kills', () => {
  assert.deepEqual(weaknesses(withLines(line({ red: ['LIST-1'] }), line({ amber: ['HTTP-4'] }))), []);
});

test('a fault that survives is named', () => {
  assert.deepEqual(weaknesses(withLines(line({}))), [
    'The fault a-fault survives: nothing is red or amber, and no proof says why.',
  ]);
});

test('a fault that no examination can decide may survive, and may not be red', () => {
  const undecidable = { requirement: 'LIST-1', because: 'A conforming service does the same.' };
  assert.deepEqual(weaknesses(withLines(line({ undecidable }))), []);
  assert.deepEqual(weaknesses(withLines(line({ undecidable, red: ['LIST-1'] }))), [
    'The fault a-fault is called undecidable, and turns LIST-1 red.',
  ]);
});

test('a MUST and a SHOULD that kill nothing are named, unless a reason stands there', () => {
  const told = weaknesses(matrix);
  assert.ok(told.includes('The MUST LIST-2 kills nothing: no fault turns it red.'));
  assert.ok(told.includes('The SHOULD HTTP-1 kills nothing: no fault turns it amber.'));
  assert.ok(!told.some((sentence) => sentence.includes('VER-') || sentence.includes('LIST-1 ')));
});

test('the document marks what was red, what was amber, and what cannot be seen', () => {
  const text = renderMatrix(matrix);
  assert.match(text, /\| Fault \| LIST-1 \| HTTP-4 \||\| Fault \| HTTP-4 \| LIST-1 \|/);
  assert.match(text, /\| `list-206` \| (○ \| ●|● \| ○) \| violates \|/);
  assert.match(text, /\| `window-of-55-seconds` \| \? \| conforms \|/);
  assert.match(text, /\| `list-cut-in-half` \(bytes\) \| ○ \| incomplete \|/);
  assert.match(text, /3 faults: 1 turn at least one requirement red, 1 are warned of, and of 1 it is proven/);
});
