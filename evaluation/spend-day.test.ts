import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from './simulation/virtual-run.ts';

// Conforming days under random circumstances are subjects of evaluation/statistics.

test('with the plan Free a run sends the 1,000 requests of a day and one more, in about 18 minutes', async () => {
  const { record, plan, lines } = await virtualRun({ spendDay: true, withoutExhaustedKey: true });
  const day = record.requirements.find(({ id }) => id === 'LIMIT-9');
  assert.equal(plan.total.withKey, 1001);
  assert.equal(day?.verdict, 'pass', day?.because);
  const seconds = (Date.parse(record.finishedAt) - Date.parse(record.startedAt)) / 1000;
  assert.ok(seconds < 1.02 * plan.seconds && seconds > 0.95 * plan.seconds, `${seconds} s`);
  const keyed = lines.flatMap((line) => (line.kind === 'exchange' && line.caller === 'key' ? [line] : []));
  const limited = keyed.filter(({ outcome }) => outcome.kind === 'answer' && outcome.status === 429);
  assert.equal(limited.length, 2, 'one of the minute and one of the day');
  assert.equal(limited.at(-1), keyed.at(-1), 'the key sends nothing more');
});
