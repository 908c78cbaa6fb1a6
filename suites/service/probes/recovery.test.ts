import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../../reference-server/catalogue/variants/index.ts';
import { recovery, refill } from './recovery.ts';

for (const [fault, method] of [
  ['creations-limited-with-one-remaining', 'POST'],
  ['creations-limited-without-headers', 'GET'],
] as const) {
  test(`after a 429 to a creation the next request is ${method}: ${fault}`, async () => {
    const { lines } = await virtualRun({ fault: findFault(fault) });
    const sent = lines.flatMap((line) =>
      line.kind === 'exchange' && line.probe === recovery.id ? [line.request.method] : [],
    );
    assert.deepEqual(sent, [method]);
  });
}

test('how fast the quota comes back is measured below a limit of requests in flight', async () => {
  const fault = findVariant('5-in-flight');
  const { lines } = await virtualRun({ fault, algorithm: 'fixed-window', exclusiveKey: true });
  const statuses = lines.flatMap((line) =>
    line.kind === 'exchange' && line.probe === refill.id && line.outcome.kind === 'answer'
      ? [line.outcome.status]
      : [],
  );
  assert.ok(statuses.length > 0);
  assert.ok(!statuses.includes(429));
});
