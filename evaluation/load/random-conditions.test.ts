import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededBy } from '../testing/suites/seeded.ts';
import { conditionsText, randomConditions } from './random-conditions.ts';
import { virtualLoad } from './virtual-load.ts';

/** Runs; more of them prove more and take longer. */
const RUNS = Number(process.env['LOAD_CONDITIONS'] ?? 150);

test(`no circumstances make a profile accuse a conforming service: ${RUNS} runs, each to be repeated by its number`, async () => {
  const verdicts = new Map<string, number>();
  const accused: string[] = [];
  for (let run = 1; run <= RUNS; run += 1) {
    const load = randomConditions(seededBy(`weather ${run}`));
    const { record } = await virtualLoad(load);
    verdicts.set(record.verdict, (verdicts.get(record.verdict) ?? 0) + 1);
    for (const { id, verdict, because } of record.findings)
      if (verdict === 'fail') accused.push(`run ${run} (${conditionsText(load)}): ${id}: ${because}`);
  }
  assert.deepEqual(accused, []);
  assert.ok((verdicts.get('pass') ?? 0) > RUNS / 2, 'most of them pass');
});
