import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUN } from '../../../evaluation/testing/suites/synthetic.ts';
import { counts, gets } from '../../../evaluation/testing/suites/uses.ts';
import { preflight } from '../probes/preflight.ts';
import { recount } from '../probes/recount.ts';
import { Evidence } from './evidence.ts';
import type { Schemas } from './schemas.ts';
import { miscounted } from './uses.ts';

/** Requests that lower Remaining by these numbers, and after two idle windows as many in another order. */
function foundIn(first: readonly number[], again: readonly number[]): string | undefined {
  const shown = (falls: readonly number[]) => {
    let left = 59;
    return falls.map((fall) => {
      left -= fall;
      return left;
    });
  };
  const run = counts(...gets(...shown(first))).wait(121);
  run.add({ probe: 'preflight', step: preflight.steps.baselineAfterIdle, left: 59 });
  for (const left of shown(again)) run.add({ probe: recount.id, step: recount.steps.anotherOrder, left });
  const evidence = new Evidence(RUN, run.lines(), { category: () => [] } as unknown as Schemas);
  return miscounted(evidence)?.explanation.kind;
}

/** A fall that another client can cause, and then requests that are not counted. */
const RISES = [1, 4, 0, 0, 0, 0, 0];
const FALLS = [1, 4, 1, 1, 3];
const EXACT = [1, 1, 1, 1, 1];

for (const [what, first, again, kind] of [
  ['at first and again', RISES, RISES, 'not counted'],
  ['at first alone', RISES, EXACT, 'fell beyond use'],
  ['at first, and then another client', RISES, FALLS, 'fell beyond use'],
  ['after another client', FALLS, RISES, 'fell beyond use'],
  ['never', EXACT, EXACT, undefined],
] as const) {
  test(`requests are not counted ${what}: ${kind ?? 'nothing is found'}`, () => {
    assert.equal(foundIn(first, again), kind);
  });
}
