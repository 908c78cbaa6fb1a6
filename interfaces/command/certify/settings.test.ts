import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runWith, virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import type { Seams } from '../../../reference-server/seams.ts';
import { loadPlans } from '../../../spec/plans.ts';
import { withInjectedFault } from './settings.ts';

const DEMONSTRATION = { plans: { ...loadPlans(), minuteSeconds: 4 }, exclusiveKey: true } as const;

async function certified(id: string, run = {}): Promise<RunRecord> {
  const fault = findFault(id);
  const { record, lines } = await virtualRun({ ...DEMONSTRATION, ...run, fault: fault as Seams });
  const [head] = lines;
  assert.ok(head?.kind === 'run');
  return withInjectedFault(record, fault, { ...head.inputs, limits: head.limits });
}

const rows: readonly (readonly [id: string, text: RegExp, fix: RegExp])[] = [
  [
    'window-of-ten-seconds',
    /violates LIMIT-4: a minute of 4 s is too short for it\.$/,
    /"minuteSeconds": 60/,
  ],
  ['list-shows-everything-twice', /violates LIST-3: no sound run can\. The list contains/, /explain LIST-3/],
  ['limit-enforced-once', /violates LIMIT-1: it needs `--thorough`\.$/, /^Add `--thorough`\.$/],
  ['lists-never-limited', /it needs a disposable key/, /`serve --fault lists-never-limited`/],
];
for (const [id, text, fix] of rows) {
  test(`a run that cannot show ${id} says so instead of "conforms"`, async () => {
    const { outcome, headline } = await certified(id);
    assert.equal(outcome, 'incomplete');
    assert.equal(headline?.kind, 'fault-not-shown');
    assert.match(headline.text, text);
    assert.match(headline.fix, fix);
  });
}

test('a fault that shows changes nothing', async () => {
  assert.equal((await certified('retry-after-absent')).headline, undefined);
  const thorough = await certified('limit-enforced-once', runWith(['thorough']));
  assert.equal(thorough.headline, undefined);
  assert.equal(thorough.outcome, 'violates');
});
