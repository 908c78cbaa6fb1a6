import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertPage } from '../../evaluation/testing/tools/page.ts';
import { UserError } from '../../kernel/basics/errors.ts';
import { dayAllowance } from '../../kernel/usage-ledger/day-usage.ts';
import type { Limits } from '../../spec/plans.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { CapacityInputs, Profile, ProfileInputs, Step } from '../model/profile.ts';
import type { Preview } from '../preview.ts';
import { previewProfile } from '../preview.ts';
import { arrivalsOf, dueMsOf, scenarioRequests } from './arithmetic.ts';
import { findProfile, PROFILE_IDS, profiles } from './index.ts';
import { capacity } from './many-keys.ts';
import { defaultSoak, longestSoak } from './over-time.ts';

const plans = loadPlans();
const [free, pro, business] = ['free', 'pro', 'business'].map((name) => limitsOf(plans, name)) as [
  Limits,
  Limits,
  Limits,
];
const enterprise: Limits = { perMinute: 5000, perDay: 1_000_000, minuteSeconds: 60, daySeconds: 86_400 };
const small: Limits = { perMinute: 5, perDay: 1000, minuteSeconds: 2, daySeconds: 86_400 };
const inputsOf = (limits: Limits, more: Partial<ProfileInputs> = {}): ProfileInputs => ({
  limits,
  fleet: 2,
  minutes: defaultSoak(limits),
  ...more,
});

test('an unknown profile produces an error with the list and the nearest name', () => {
  assert.throws(() => findProfile('at-limits'), {
    name: UserError.name,
    message: `There is no profile "at-limits"; the profiles are ${PROFILE_IDS.join(', ')}. Did you mean "at-limit"?`,
  });
  assert.equal(findProfile('soak').id, 'soak');
});

const isNumber = (one: number): boolean => Number.isFinite(one) && one >= 0;
const isCount = (one: number): boolean => Number.isSafeInteger(one) && one > 0;

describe('every limit, from 1 up', () => {
  const some = [1, 2, 3, 4, 5, 7, 9, 10, 11, 59, 60, 61, 300, 1000].flatMap((perMinute) =>
    [perMinute, perMinute + 1, 3 * perMinute, 1000 * perMinute].map((perDay) => ({
      ...free,
      perMinute,
      perDay,
    })),
  );
  const all = profiles.flatMap((profile) => some.map((limits) => ({ profile, limits })));

  test('every scenario starts with one preflight request, and all numbers are finite', () => {
    for (const { profile, limits } of all) {
      for (const { key, steps } of profile.scenarios(inputsOf(limits))) {
        const where = `${profile.id} ${key} at ${limits.perMinute} of ${limits.perDay}`;
        const preflights = steps.flatMap(({ kind }, at) => (kind === 'preflight' ? [at] : []));
        assert.deepEqual(preflights, [0], where);
        const numbers = steps.flatMap((step) => Object.values(step).filter((one) => typeof one === 'number'));
        assert.ok(numbers.every(isNumber), where);
        const counts = steps.flatMap((step) => ('requests' in step ? [step.requests] : []));
        assert.ok(counts.every(isCount), where);
      }
    }
  });

  test('no key has two scenarios', () => {
    for (const { profile, limits } of all) {
      const keys = profile.scenarios(inputsOf(limits)).map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length);
    }
  });

  test('under the plans of the specification only day-quota needs a whole day', () => {
    for (const limits of [free, pro, business, enterprise]) {
      const needing = profiles.filter((one) =>
        previewProfile(one, inputsOf(limits)).needs.includes('whole day'),
      );
      assert.equal(needing.map(({ id }) => id).join(), 'day-quota');
    }
  });
});

test('a soak of any length ends before nine tenths of the day are used', () => {
  for (const limits of [free, pro, business, small]) {
    const most = longestSoak(limits);
    const sent = (minutes: number): number =>
      Math.max(...findProfile('soak').scenarios(inputsOf(limits, { minutes })).map(scenarioRequests));
    assert.ok(sent(most) > 0.85 * limits.perDay && sent(1_000_000) <= dayAllowance(limits));
    assert.equal(defaultSoak(limits), Math.min(10, most));
  }
  assert.equal(longestSoak(free), 16);
});

describe('the keys of a fleet send in turn', () => {
  const fleet = 5;
  for (const id of ['soak', 'breakpoint'] as const) {
    test(`${id}: all keys begin each step together, and their requests are evenly spaced`, () => {
      const scenarios = findProfile(id).scenarios(inputsOf(free, { fleet }));
      const withoutTurns = scenarios.map(({ steps }) => steps.map((step) => ({ ...step, turn: 0 })));
      assert.equal(new Set(withoutTurns.map((one) => JSON.stringify(one))).size, 1);
      for (const position of (scenarios[0]?.steps ?? []).keys()) {
        const steps = scenarios.flatMap(({ steps }) => steps[position] ?? []);
        const due = steps
          .flatMap((step) => (step.kind === 'paced' ? dueMsOf(step) : []))
          .sort((a, b) => a - b);
        const [step] = steps;
        if (step?.kind !== 'paced') continue;
        const apart = step.overMs / step.requests / fleet;
        assert.ok(due.every((at, n) => Math.abs(at - (n + 0.5) * apart) < 1e-6));
      }
    });
  }

  test('with keys of several plans, those of each plan are evenly spaced', () => {
    const fleetPlans = [
      { plan: 'free', limits: free, keys: 1 },
      { plan: 'pro', limits: pro, keys: 2 },
      { plan: 'free', limits: free, keys: 1 },
    ];
    const scenarios = findProfile('soak').scenarios(inputsOf(free, { fleet: 4, fleetPlans }));
    const turns = scenarios.map(({ steps }) =>
      steps.flatMap((one) => (one.kind === 'paced' ? one.turn : [])),
    );
    assert.equal(turns.join(), '0.25,0.25,0.75,0.75');
    const rests = scenarios.map(({ steps }) =>
      steps.flatMap((one) => (one.kind === 'rest' ? one.forMs : [])),
    );
    assert.equal(rests.join(), '1112,1112,1112,1112');
  });
});

const capacityInputs: CapacityInputs = {
  perSecond: 4,
  seconds: 10,
  rampSeconds: 0,
  createShare: 0.25,
  arrivals: 'even',
};

describe('the arrivals of a capacity run', () => {
  test('are evenly spaced, the last at the end', () => {
    const due = arrivalsOf(capacityInputs);
    assert.deepEqual([due.length, due[0], due.at(-1)], [40, 250, 10_000]);
  });

  test('become denser during the ramp, and reach the rate at its end', () => {
    const due = arrivalsOf({ ...capacityInputs, rampSeconds: 5 });
    assert.equal(due.length, 30);
    assert.ok(Math.abs((due[9] ?? 0) - 5000) < 1e-6, 'half of the rate times five seconds');
    assert.ok((due[1] ?? 0) - (due[0] ?? 0) > 900 / 1.5);
    assert.ok(Math.abs((due[20] ?? 0) - (due[19] ?? 0) - 250) < 1e-6);
  });

  test('of a Poisson process are reproducible, ascending, and about as many', () => {
    const random = { ...capacityInputs, seconds: 1000, arrivals: 'poisson' } as const;
    const due = arrivalsOf(random);
    assert.deepEqual(due, arrivalsOf(random));
    assert.ok(Math.abs(due.length - 4000) < 4 * Math.sqrt(4000), String(due.length));
    assert.ok(due.every((at, i) => at >= (due[i - 1] ?? 0)) && (due.at(-1) ?? 0) <= 1_000_000);
    const gaps = due.map((at, i) => at - (due[i - 1] ?? 0));
    const short = gaps.filter((gap) => gap < 250 * Math.LN2).length;
    const beyondHalf = Math.abs(short - due.length / 2);
    assert.ok(beyondHalf < 4 * Math.sqrt(due.length), 'half are below the median of an exponential');
  });
});

test('a capacity run deals arrivals and creations to all keys', () => {
  const scenarios = capacity.scenarios(inputsOf(free, { fleet: 3, capacity: capacityInputs }));
  const steps = scenarios.flatMap(({ steps: all }) => all.filter((step) => step.kind === 'scheduled'));
  assert.equal(steps.map(({ requests }) => requests).join(), '14,13,13');
  const creations = steps.map(({ creates }) => creates.filter(Boolean).length);
  assert.match(creations.join(), /^([34],?){3}$/);
});

const preview = (id: string, limits = free, fleet = 1): Preview =>
  previewProfile(findProfile(id), inputsOf(limits, { fleet }));

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The plans of the specification, one of Enterprise, and 5 requests in 2 s. */
const PLANS = { free, pro, business, enterprise, '5 in 2 s': small };

function pageOf({ id, scenarios }: Profile): string {
  const counts = Object.entries(PLANS).map(([plan, limits]) => {
    const sent = scenarios(inputsOf(limits)).map(scenarioRequests);
    return `${plan} ${sent.join(' + ')}`;
  });
  const { keys, seconds, creations, banRisk, needs } = preview(id);
  const lines = keys.map(
    ({ key, mostInMinute, minuteShare, dayShare, peak: { perSecond, concurrency } }, at) =>
      `${key}: ${mostInMinute} in a minute at the most (${rounded(minuteShare)} of the limit), ${rounded(dayShare)} of the day, ${rounded(perSecond)} a second, ${concurrency} at once
    ${stepsOf(id)[at]?.map(stepText).join('\n    ')}`,
  );
  return `${id}
  requests: ${counts.join(', ')}
  with Free: ${rounded(seconds.expected)} s, after recent use ${rounded(seconds.afterRecentUse)} s; ${creations} creations; ban risk ${banRisk}; needs ${needs.join(', ') || 'nothing'}
  ${lines.join('\n  ')}
`;
}

/** The steps of each key of a Free run. */
function stepsOf(id: string): readonly (readonly Step[])[] {
  const scenarios = findProfile(id).scenarios(inputsOf(free, { fleet: 1 }));
  return scenarios.map(({ steps }) => steps);
}

/** The kind of a step, and its numbers. */
const stepText = ({ kind, ...more }: Step): string =>
  [
    kind,
    ...Object.entries(more).flatMap(([name, value]) => (typeof value === 'number' ? `${name} ${value}` : [])),
  ].join(', ');

test('the profiles send what they are known to send', () => {
  const page = profiles.map(pageOf).join('\n');
  assertPage('load/profiles/sent-by-profiles.txt', page);
});

test('a fleet adds up: requests and peaks of all keys', () => {
  const [one, three] = [preview('spike', pro, 1), preview('spike', pro, 3)];
  assert.equal(three.requests, 3 * one.requests);
  assert.equal(
    three.requests,
    three.keys.reduce((sum, { requests }) => sum + requests, 0),
  );
  assert.equal(three.peak.concurrency, 3 * one.peak.concurrency);
  assert.equal(rounded(three.peak.perSecond), rounded(3 * one.peak.perSecond));
  assert.deepEqual(three.seconds, one.seconds);
});
