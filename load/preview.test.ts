import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPage } from '../evaluation/testing/tools/page.ts';
import type { Limits } from '../spec/plans.ts';
import { limitsOf, loadPlans } from '../spec/plans.ts';
import type { Profile, Step } from './model/profile.ts';
import type { Preview } from './preview.ts';
import { previewProfile } from './preview.ts';
import { scenarioRequests } from './profiles/arithmetic.ts';
import { findProfile, profiles } from './profiles/index.ts';
import { defaultSoak } from './profiles/over-time.ts';

const plans = loadPlans();

function preview(id: string, plan = 'free', fleet = 1): Preview {
  const limits = limitsOf(plans, plan);
  return previewProfile(findProfile(id), { limits, fleet, minutes: defaultSoak(limits) });
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

// What each profile sends and how long it takes.

const PAGE = 'load/profiles/sent-by-profiles.txt';

/** The plans of the specification, one of Enterprise, and 5 requests in 2 s. */
const PLANS: Readonly<Record<string, Limits>> = {
  ...Object.fromEntries(['free', 'pro', 'business'].map((plan) => [plan, limitsOf(plans, plan)])),
  enterprise: { perMinute: 5000, perDay: 1_000_000, minuteSeconds: 60, daySeconds: 86_400 },
  '5 in 2 s': { perMinute: 5, perDay: 1000, minuteSeconds: 2, daySeconds: 86_400 },
};

function pageOf({ id, scenarios }: Profile): string {
  const counts = Object.entries(PLANS).map(([plan, limits]) => {
    const sent = scenarios({ limits, fleet: 2, minutes: defaultSoak(limits) }).map(scenarioRequests);
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
  const limits = limitsOf(plans, 'free');
  const scenarios = findProfile(id).scenarios({ limits, fleet: 1, minutes: defaultSoak(limits) });
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
  assertPage(PAGE, page);
});

test('a fleet adds up: requests and peaks of all keys', () => {
  const [one, three] = [preview('spike', 'pro', 1), preview('spike', 'pro', 3)];
  assert.equal(three.requests, 3 * one.requests);
  assert.equal(
    three.requests,
    three.keys.reduce((sum, { requests }) => sum + requests, 0),
  );
  assert.equal(three.peak.concurrency, 3 * one.peak.concurrency);
  assert.equal(rounded(three.peak.perSecond), rounded(3 * one.peak.perSecond));
  assert.deepEqual(three.seconds, one.seconds);
});
