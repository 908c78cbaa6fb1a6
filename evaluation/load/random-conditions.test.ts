import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbersTo, sampleOf } from '../../tools/sample.ts';
import { seededBy } from '../testing/suites/limiters.ts';
import { conditionsText, randomConditions } from './random-conditions.ts';
import { virtualLoad } from './virtual-load.ts';

/** The runs of the day, of this number in a week. */
const runs = sampleOf(numbersTo(Number(process.env['LOAD_CONDITIONS'] ?? 150)));

test(`no profile fails a conforming service under random conditions: ${runs.length} runs, each reproducible by its number`, async () => {
  const verdicts = new Map<string, number>();
  const failures: string[] = [];
  for (const run of runs) {
    const load = randomConditions(seededBy(`conditions ${run}`));
    const { record } = await virtualLoad(load);
    verdicts.set(record.outcome, (verdicts.get(record.outcome) ?? 0) + 1);
    for (const { id, verdict, because } of record.requirements)
      if (verdict === 'fail') failures.push(`run ${run} (${conditionsText(load)}): ${id}: ${because}`);
  }
  assert.deepEqual(failures, []);
  assert.ok((verdicts.get('conforms') ?? 0) > runs.length / 2, 'most runs pass');
});
