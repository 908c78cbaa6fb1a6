import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { virtualLoad } from '../../evaluation/load/virtual-load.ts';
import type { Threshold } from '../../kernel/findings/load.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { Trace } from '../model/sample.ts';
import type { ProfileId } from '../profiles/index.ts';
import { findProfile } from '../profiles/index.ts';
import { keyTraces } from './judge.ts';
import { RunJudge } from './run-judge.ts';

const FLEET = 6;
const MINUTES = 6;

/** Judges a run as a long one, its keys in another order; about so many requests are kept. */
function asLong(
  profile: ProfileId,
  { record, trace }: { record: LoadRecord; trace: Trace },
  kept: number,
  thresholds: readonly Threshold[] = [],
) {
  const inputs = { limits: limitsOf(loadPlans(), 'free'), fleet: FLEET, minutes: MINUTES };
  const { suite, target, environment, ended, startedAt, finishedAt } = record;
  const run = { suite, target, environment, profile: findProfile(profile), inputs, thresholds };
  const judge = new RunJudge(run, kept);
  for (const key of [...keyTraces(trace)].reverse()) judge.add(key);
  return judge.conclude({ ended, startedAt, finishedAt });
}

const verdictsOf = ({ requirements: findings }: LoadRecord) =>
  findings.map(({ id, verdict }) => `${id} ${verdict}`);

describe('a long run, of which one in so many requests is kept', () => {
  for (const profile of ['soak', 'breakpoint', 'capacity'] as const) {
    test(`${profile}: the verdicts and counts are those of all requests`, async () => {
      const whole = await virtualLoad({ profile, fleet: FLEET, minutes: MINUTES });
      const { record, trace } = asLong(profile, whole, Math.ceil(whole.trace.samples.length / 3));
      assert.deepEqual(verdictsOf(record), verdictsOf(whole.record));
      for (const field of ['keys', 'latencyMs', 'scheduleDelayMs', 'outcome'] as const)
        assert.deepEqual(record[field], whole.record[field], field);
      assert.equal(trace.oneOf, 3);
      assert.ok(Math.abs(trace.samples.length - whole.trace.samples.length / 3) <= FLEET);
      for (const { id, because } of record.requirements)
        assert.equal(
          /This rests on one of every 3 requests/.test(because),
          ['STEADY', 'HOLDS'].includes(id),
          id,
        );
    });
  }

  test('the figures of phases are estimates of the same', async () => {
    const whole = await virtualLoad({ profile: 'breakpoint', fleet: FLEET });
    const { record } = asLong('breakpoint', whole, whole.trace.samples.length / 3);
    for (const [at, { offeredPerSecond }] of (whole.record.phases ?? []).entries()) {
      const estimate = record.phases?.[at]?.offeredPerSecond ?? 0;
      assert.ok(Math.abs(estimate - offeredPerSecond) < 0.35 * offeredPerSecond, `${at}: ${estimate}`);
    }
  });

  test('thresholds rest on all requests, as in a short run', async () => {
    const whole = await virtualLoad({ profile: 'soak', fleet: FLEET, minutes: MINUTES });
    // Every tenth request fails, so that one of three would show another share.
    const samples = whole.trace.samples.map((sample) =>
      sample.n % 10 === 3 && sample.outcome.kind === 'answer'
        ? { ...sample, outcome: { ...sample.outcome, status: 503 } }
        : { ...sample, received: sample.received + (sample.n % 7) },
    );
    const run = { ...whole, trace: { ...whole.trace, samples } };
    const thresholds = [{ operation: 'list', p50: 1, p99: 1, errorRate: 0.05, minimumRate: 1 }] as const;
    const found = [samples.length, samples.length / 3].map((kept) =>
      asLong('soak', run, kept, thresholds).record.requirements.filter(({ id }) =>
        id.startsWith('THRESHOLD'),
      ),
    );
    assert.equal(found[0]?.length, 4);
    assert.deepEqual(found[1], found[0]);
    assert.deepEqual(
      found[0]?.map(({ verdict }) => verdict),
      ['fail', 'fail', 'fail', 'pass'],
    );
  });

  test('a key that is missing was not sent, whatever the others show', async () => {
    const whole = await virtualLoad({ profile: 'soak', fleet: FLEET, minutes: MINUTES });
    const trace = { ...whole.trace, samples: whole.trace.samples.filter(({ key }) => key !== 'fleet-2') };
    const { record } = asLong('soak', { ...whole, trace }, 500);
    assert.ok(record.requirements.every(({ verdict }) => verdict === 'inconclusive'));
    assert.match(
      record.requirements[0]?.because ?? '',
      /^Key fleet-2: 0 of \d+ planned requests were sent\.$/,
    );
  });

  test('a 429 of one of many keys that may share an account is no failure, of a key by itself it is', async () => {
    const whole = await virtualLoad({ profile: 'soak', fleet: FLEET, minutes: MINUTES });
    const spoiled = whole.trace.samples.map((sample) =>
      sample.key === 'fleet-3' && sample.n === 20 && sample.outcome.kind === 'answer'
        ? { ...sample, outcome: { ...sample.outcome, status: 429, retryAfter: '30' } }
        : sample,
    );
    const { record } = asLong('soak', { ...whole, trace: { ...whole.trace, samples: spoiled } }, 500);
    const found = record.requirements.find(({ id }) => id === 'NO-429');
    assert.match(found?.because ?? '', /^Key fleet-3: /);
    assert.notEqual(found?.verdict, 'pass');
  });
});
