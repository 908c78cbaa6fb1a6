import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { RUN } from '../../../evaluation/testing/suites/synthetic.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { Evidence } from '../evidence/evidence.ts';
import type { Schemas } from '../evidence/schemas.ts';
import { ban } from './ban.ts';
import { exhaustQuota } from './exhaust-quota.ts';
import { probes } from './index.ts';

const declared = new Map(probes.map(({ id, steps }) => [id, new Set(Object.values(steps))]));

/** The steps of an exchange that its probe does not declare. */
async function undeclaredSteps(options: Parameters<typeof virtualRun>[0]): Promise<readonly string[]> {
  const { lines } = await virtualRun(options);
  return lines.flatMap((line) =>
    line.kind === 'exchange' && declared.get(line.probe)?.has(line.step) !== true
      ? [`${line.probe}: ${line.step}`]
      : [],
  );
}

test('every request of a run is labelled with a step that its probe declares', async () => {
  for (const plan of ['free', 'pro']) assert.deepEqual(await undeclaredSteps({ plan }), []);
});

for (const fault of ['window-of-a-second', 'limit-never-comes-back', 'half-the-limit'] as const) {
  test(`and so is every request to a target with the fault ${fault}`, async () => {
    assert.deepEqual(await undeclaredSteps({ fault: findFault(fault) }), []);
  });
}

test('a step of another probe does not compile', () => {
  const evidence = new Evidence(RUN, [RUN], { category: () => [] } as unknown as Schemas);
  assert.deepEqual(evidence.step(ban, ban.steps.persist), []);
  // @ts-expect-error: this is a step of exhaust-quota.
  assert.deepEqual(evidence.step(ban, exhaustQuota.steps.oneByOne), []);
});
