import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FALSE_ALARM_RATE } from '../../../load/compare/repetitions.ts';
import { readResults } from '../../study.ts';
import { COMPARE_PAGE, renderCompare } from './page.ts';
import type { Compared } from './tally.ts';
import { simulatedEqual } from './tally.ts';

const committed = readResults<Compared>('load/compare-sets');

test('the page states the committed results', () => {
  assert.equal(readFileSync(COMPARE_PAGE, 'utf8'), renderCompare(committed));
});

test('the committed false-alarm rate of equal sets is at most the stated one', () => {
  for (const { what, regression, comparisons } of committed['simulated-equal']?.comparisons ?? [])
    assert.ok(regression <= FALSE_ALARM_RATE * comparisons, what);
});

test('few of a hundred equal simulated sets are reported', () => {
  for (const { what, regression } of simulatedEqual(40)) assert.ok(regression <= 4, `${what}: ${regression}`);
});
