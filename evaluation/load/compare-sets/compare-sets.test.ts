import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FALSE_ALARM_RATE } from '../../../load/compare/repetitions.ts';
import { readResults } from '../../study.ts';
import type { Compared } from './tally.ts';
import { simulatedEqual } from './tally.ts';

const committed = readResults<Compared>('load/compare-sets');

test('the committed false-alarm rate of equal sets is at most the stated one', () => {
  for (const { what, regression, comparisons } of committed['simulated-equal'] ?? [])
    assert.ok(regression <= FALSE_ALARM_RATE * comparisons, what);
});

test('few of a hundred equal simulated sets are reported', () => {
  for (const { what, regression } of simulatedEqual(40)) assert.ok(regression <= 4, `${what}: ${regression}`);
});
