import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRecord } from '../kernel/findings/record.ts';
import type { AlgorithmName } from '../reference-server/limiters/index.ts';
import { algorithms, mostAccepted } from '../reference-server/limiters/index.ts';
import { loadPlans } from '../spec/plans.ts';
import { register } from '../spec/register.ts';
import { sampleOf } from '../tools/sample.ts';
import { VIRTUAL_START } from './simulation/service-time.ts';
import { virtualRun } from './simulation/virtual-run.ts';
import { trips } from './statistics/circumstances.ts';
import { seeded } from './testing/suites/limiters.ts';
import { reasonsOf } from './testing/verdicts.ts';

// Each limiter and each used day under random circumstances is a subject of evaluation/statistics.

const bad = (record: RunRecord): readonly string[] => reasonsOf(record, 'fail', 'warn');

/** The longest round trip, in milliseconds, over which a run can exhaust every limiter within its window. */
const links = { 'one machine': [0.4, 4], 'one continent': [20, 60], 'half the world': [120, 300] } as const;

test('no limiter fails what a disposable key shows beyond its limit, in long and short windows, with and without a ban', async () => {
  const random = seeded(14);
  for (const algorithm of sampleOf(algorithms)) {
    for (const minuteSeconds of [60, 5]) {
      for (const ban of [undefined, { after: 7, seconds: 20 }]) {
        const plans = { ...loadPlans(), minuteSeconds };
        const [least, most] = links[random() < 0.5 ? 'one machine' : 'one continent'];
        const { record } = await virtualRun({
          algorithm,
          plans,
          start: VIRTUAL_START + Math.floor(random() * 60_000),
          network: trips(least, most, random),
          withDisposableKey: true,
          ...(ban === undefined ? {} : { ban }),
        });
        assert.deepEqual(reasonsOf(record, 'fail'), [], `${algorithm} ${minuteSeconds} ${ban?.after}`);
      }
    }
  }
});

test('a target that is slower than its window is inconclusive at worst and never fails', async () => {
  const random = seeded(7);
  for (const algorithm of sampleOf(algorithms)) {
    const { record } = await virtualRun({ algorithm, network: trips(1400, 1600, random) });
    assert.deepEqual(bad(record), []);
    assert.notEqual(record.outcome, 'violates');
  }
});

const keyedFor = (algorithm: AlgorithmName, plan: string) => virtualRun({ algorithm, plan });

test('a run with a Free key sends 62 keyed requests in one window', async () => {
  for (const algorithm of ['fixed-window-from-first', 'sliding-log'] as const) {
    const { record, plan } = await keyedFor(algorithm, 'free');
    assert.equal(plan.total.withKey, 62);
    assert.equal(record.requests.keyed, 62);
    assert.ok(Date.parse(record.finishedAt) - Date.parse(record.startedAt) < 61_000);
  }
});

/** Whether the quota comes back bit by bit, so that more is accepted the longer a span is. */
const isRefilled = (algorithm: AlgorithmName): boolean =>
  mostAccepted(algorithm, 60, 0.9) > mostAccepted(algorithm, 60, 0.6);

test('three windows take 185 keyed requests of a Free key, or 191 where a quota comes back bit by bit', async () => {
  for (const algorithm of algorithms) {
    const { record, plan } = await virtualRun({ algorithm, thorough: true });
    assert.deepEqual(bad(record), [], algorithm);
    assert.equal(record.outcome, 'conforms', algorithm);
    assert.equal(plan.total.withKey, 185);
    assert.equal(record.requests.keyed, isRefilled(algorithm) ? 191 : 185, algorithm);
    const minutes = (Date.parse(record.finishedAt) - Date.parse(record.startedAt)) / 60_000;
    assert.ok(minutes < (algorithm === 'sliding-counter' ? 10 : 6), algorithm);
  }
});

test('three windows of every algorithm conform over any link, at any phase of the minute', async () => {
  const random = seeded(20261122);
  for (const algorithm of sampleOf(algorithms)) {
    for (const [least, most] of Object.values(links)) {
      const start = VIRTUAL_START + Math.floor(random() * 60_000);
      const network = trips(least, most, random);
      const { record } = await virtualRun({ algorithm, thorough: true, start, network });
      assert.deepEqual(bad(record), [], `${algorithm}, start ${start}`);
      assert.equal(record.outcome, 'conforms', `${algorithm}, start ${start}`);
    }
  }
});

test('runs with Pro and Business keys use the limits of these plans', async () => {
  for (const [plan, keyed] of [
    ['pro', 302],
    ['business', 1002],
  ] as const) {
    const { record } = await keyedFor('fixed-window-from-first', plan);
    assert.equal(record.outcome, 'conforms');
    assert.equal(record.requests.keyed, keyed);
  }
});

test('a run with a plan of five requests in two seconds has no fail and no warning', async () => {
  const plans = {
    minuteSeconds: 2,
    daySeconds: 86_400,
    plans: {
      free: { perMinute: 5, perDay: 1000 },
      pro: { perMinute: 9, perDay: 1000 },
      business: { perMinute: 12, perDay: 1000 },
      enterprise: null,
    },
  };
  for (const algorithm of algorithms) {
    const { record } = await virtualRun({ algorithm, plans });
    assert.deepEqual(bad(record), [], algorithm);
    assert.equal(record.outcome, 'conforms', algorithm);
    const thorough = await virtualRun({ algorithm, plans, thorough: true });
    assert.deepEqual(bad(thorough.record), [], algorithm);
  }
});

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

test('every record has every id of the register', async () => {
  const { record } = await virtualRun();
  const told = [...record.requirements, ...record.observations].map(({ id }) => id);
  assert.deepEqual(new Set(told), new Set(register.map(({ id }) => id)));
  assert.equal(told.length, register.length);
});
