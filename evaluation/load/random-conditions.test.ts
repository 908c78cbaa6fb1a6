import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededBy } from '../testing/suites/seeded.ts';
import { conditionsText, randomConditions } from './random-conditions.ts';
import { virtualLoad } from './virtual-load.ts';

/** Number of runs. */
const RUNS = Number(process.env['LOAD_CONDITIONS'] ?? 150);

test(`no profile fails a conforming service under random conditions: ${RUNS} runs, each reproducible by its number`, async () => {
  const verdicts = new Map<string, number>();
  const failures: string[] = [];
  for (let run = 1; run <= RUNS; run += 1) {
    const load = randomConditions(seededBy(`conditions ${run}`));
    const { record } = await virtualLoad(load);
    verdicts.set(record.verdict, (verdicts.get(record.verdict) ?? 0) + 1);
    for (const { id, verdict, because } of record.findings)
      if (verdict === 'fail') failures.push(`run ${run} (${conditionsText(load)}): ${id}: ${because}`);
  }
  assert.deepEqual(failures, []);
  assert.ok((verdicts.get('pass') ?? 0) > RUNS / 2, 'most runs pass');
});
