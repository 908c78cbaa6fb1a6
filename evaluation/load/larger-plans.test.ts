import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findFault } from '../../catalogue/index.ts';
import type { AlgorithmName } from '../../reference-server/index.ts';
import { algorithms } from '../../reference-server/index.ts';
import { loadPlans } from '../../spec/plans.ts';
import { seededBy } from '../testing/suites/seeded.ts';
import { virtualLoad } from './virtual-load.ts';

// Too many accepted, at the limits of every plan and in windows of a minute and of seconds, over a network with jitter.

/** Round trips of 4 to 10 ms. */
function networkOf(seed: string) {
  const random = seededBy(seed);
  const delay = (): number => 2 + 3 * random();
  return { there: delay, back: delay };
}

async function failuresOf(profile: string, plan: string, minuteSeconds: number, fault: string) {
  const { record } = await virtualLoad({
    ...{ profile, plan, plans: { ...loadPlans(), minuteSeconds } },
    fault: findFault(fault),
    network: networkOf(`${profile} ${plan} ${minuteSeconds} ${fault}`),
  });
  return record.findings.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

describe('more is accepted than the plan allows', () => {
  for (const plan of ['free', 'pro', 'business']) {
    for (const fault of ['twice-the-limit', 'lists-never-limited', 'updates-lost', 'one-too-many']) {
      test(`over-limit finds ${fault}, ${plan}`, async () => {
        const expected = fault === 'one-too-many' ? ['CEILING'] : ['CEILING', 'RATE-LIMITED'];
        for (const minuteSeconds of [60, 5])
          assert.deepEqual(await failuresOf('over-limit', plan, minuteSeconds, fault), expected);
      });
    }
  }

  for (const plan of ['pro', 'business']) {
    test(`at-limit finds updates-lost, ${plan}`, async () => {
      for (const minuteSeconds of [60, 5])
        assert.deepEqual(await failuresOf('at-limit', plan, minuteSeconds, 'updates-lost'), ['CEILING']);
    });
  }
});

test('no algorithm fails where the limit is large, in a minute or in seconds', async () => {
  for (const algorithm of algorithms as readonly AlgorithmName[]) {
    for (const profile of ['over-limit', 'at-limit']) {
      for (const minuteSeconds of [60, 5]) {
        const { record } = await virtualLoad({
          ...{ profile, algorithm, plan: 'business', plans: { ...loadPlans(), minuteSeconds } },
          network: networkOf(`${algorithm} ${profile} ${minuteSeconds}`),
        });
        const failed = record.findings.filter(({ verdict }) => verdict === 'fail');
        assert.deepEqual(failed, [], `${algorithm}, ${profile}, ${minuteSeconds} s`);
      }
    }
  }
});
