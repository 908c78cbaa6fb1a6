import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PROFILE_IDS } from '../../../load/model/profile.ts';
import { faultsFound } from '../../load/finds.ts';
import { whyNoVerdict } from '../../load/why-no-verdict.ts';
import { readResults } from '../../results.ts';
import { onBusyMachine } from '../../testing/tools/busy-machine.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { withBusyCore } from '../busy.ts';
import { verdictDifferences } from '../vectors.ts';
import type { LoadDeterminismResult } from './repeat-load.ts';
import { FAULT_OF_PROFILE, repeatLoad } from './repeat-load.ts';

const unlessBusy = onBusyMachine();

const committed = readResults<LoadDeterminismResult>('determinism/load');

describe('load runs against one server, two at a time with a busy core, come to the same verdicts', {
  skip: withoutK6,
}, () => {
  // A few of the runs of `npm run evaluate -- determinism-load`.
  for (const [fault, verdict] of [
    [undefined, 'conforms'],
    [FAULT_OF_PROFILE['over-limit'], 'violates'],
  ] as const) {
    test(`over-limit, ${fault ?? 'a conforming server'}: ${verdict}`, async (t) => {
      const found: readonly string[] = faultsFound['over-limit'].find(([id]) => id === fault)?.slice(1) ?? [];
      await unlessBusy(t, async () => {
        const { groups } = await withBusyCore(() =>
          repeatLoad({ profile: 'over-limit', fault, runs: 4, parallelRuns: 2 }),
        );
        const all = groups.map(({ record }) => record.requirements);
        // What must fail may be open where the machine was busy, and nothing else may fail.
        const reason = all
          .map((one) =>
            whyNoVerdict(one.filter(({ id, verdict: is }) => is !== 'fail' || !found.includes(id))),
          )
          .find((one) => one !== undefined);
        if (reason !== undefined) return reason;
        const [first = [], ...others] = all;
        assert.ok(first.length > 3);
        assert.equal(groups[0]?.record.outcome, verdict);
        assert.deepEqual(
          others.flatMap((one) => verdictDifferences(first, one)),
          [],
        );
        return undefined;
      });
    });
  }
});

test('the committed results cover every profile, against a conforming server and a fault', () => {
  const expected = PROFILE_IDS.flatMap((profile) => [
    `${profile} conforms`,
    `${profile} ${FAULT_OF_PROFILE[profile]}`,
  ]);
  assert.deepEqual(Object.keys(committed), expected);
  for (const profile of PROFILE_IDS) {
    assert.ok(
      faultsFound[profile].some(([fault]) => fault === FAULT_OF_PROFILE[profile]),
      `evaluation/load/finds.ts names ${FAULT_OF_PROFILE[profile]} for ${profile}`,
    );
  }
});

test('in the committed results all runs of a profile came to the same, expected verdicts', () => {
  for (const { profile, fault, runs, equal, verdict, failed } of Object.values(committed)) {
    const found = faultsFound[profile].find(([id]) => id === fault)?.slice(1) ?? [];
    assert.deepEqual(
      [runs, equal, verdict, failed],
      [10, 10, fault === null ? 'pass' : 'fail', found],
      `${profile} ${fault}`,
    );
  }
});
