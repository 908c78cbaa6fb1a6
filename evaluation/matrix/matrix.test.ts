import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { weaknesses } from './matrix.ts';
import type { FaultResult } from './pass.ts';

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
