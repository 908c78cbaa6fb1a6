import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PROFILE_IDS } from '../../../load/model/profile.ts';
import { faultsFound } from '../../load/finds.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { besideABusyLoop } from '../busy.ts';
import { differences } from '../vectors.ts';
import { FAULTS, repeatLoad } from './repeat-load.ts';
import { readLoadMeasured } from './results.ts';

describe('load runs of one server, two at a time beside a busy loop, come to the same verdicts', {
  skip: withoutK6,
}, () => {
  // A few of the runs of `npm run determinism:load`.
  for (const [fault, verdict] of [
    [undefined, 'pass'],
    [FAULTS['over-limit'], 'fail'],
  ] as const) {
    test(`over-limit, ${fault ?? 'a server that conforms'}: ${verdict}`, async () => {
      const { vectors } = await besideABusyLoop(() =>
        repeatLoad({ profile: 'over-limit', fault, runs: 4, atOnce: 2 }),
      );
      const [usual, ...others] = vectors;
      assert.ok(usual !== undefined && usual.record.findings.length > 3);
      assert.equal(usual.record.verdict, verdict);
      assert.deepEqual(
        others.flatMap(({ record }) => differences(usual.record.findings, record.findings)),
        [],
      );
    });
  }
});

test('every profile was run against a server that conforms and against a fault that it must find', () => {
  const measured = readLoadMeasured().map(({ profile, fault }) => `${profile} ${fault}`);
  const expected = PROFILE_IDS.flatMap((profile) => [`${profile} null`, `${profile} ${FAULTS[profile]}`]);
  assert.deepEqual(measured, expected);
  for (const profile of PROFILE_IDS) {
    assert.ok(
      faultsFound[profile].some(([fault]) => fault === FAULTS[profile]),
      `the table of virtual time names ${FAULTS[profile]} for ${profile}, too`,
    );
  }
});

test('no figure that was kept tells of a verdict that came only now and then', () => {
  for (const { profile, fault, runs, equal, verdict, failed } of readLoadMeasured()) {
    const found =
      faultsFound[profile as keyof typeof faultsFound].find(([id]) => id === fault)?.slice(1) ?? [];
    assert.deepEqual(
      [runs, equal, verdict, failed],
      [10, 10, fault === null ? 'pass' : 'fail', found],
      `${profile} ${fault}`,
    );
  }
});
