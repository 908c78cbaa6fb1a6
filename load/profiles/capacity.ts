import { dayAllowance } from '../../kernel/usage-ledger/day-usage.ts';
import type { Limits } from '../../spec/plans.ts';
import type { CapacityInputs, KeyAlias, Profile, Scenario } from '../model/profile.ts';
import { arrivalsOf, awaitFullQuota, scenarioOf, sustainableRate, windowMs } from './arithmetic.ts';

/** The default duration of a capacity run, in windows. */
const DEFAULT_WINDOWS = 2;

/** What a capacity run sends unless the user says otherwise: nine tenths of each limit, for two windows. */
export function defaultCapacity(limits: Limits, fleet: number): CapacityInputs {
  const windows = Math.min(DEFAULT_WINDOWS, Math.max(1, dayAllowance(limits) - 1) / sustainableRate(limits));
  const window = windowMs(limits) / 1000;
  return {
    perSecond: (fleet * sustainableRate(limits)) / window,
    seconds: windows * window,
    rampSeconds: 0,
    createShare: 0,
    arrivals: 'even',
  };
}

/**
 * The most requests that a key may send in any window, the preflight request included: two below its limit,
 * since a sliding counter can see two requests more than the rate.
 */
export const mostForKey = (limits: Limits): number =>
  limits.perMinute < 3 ? 1 : Math.max(sustainableRate(limits) + 1, limits.perMinute - 2);

/** Any rate that the keys allow, of both operations, evenly spaced or at random. */
export const capacity = {
  id: 'capacity',
  description:
    'Sends --rate requests a second in all, by a fleet of keys, for --duration, --creates percent of them creations.',
  why: 'Shows whether the target serves the rate that it was built for, with the operations that customers use.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX'],
  scenarios: ({ limits, fleet, capacity: inputs = defaultCapacity(limits, fleet) }) =>
    scenariosOf(inputs, fleet),
} as const satisfies Profile;

/** Deals the arrivals to the keys in turn. */
function scenariosOf(inputs: CapacityInputs, fleet: number): readonly Scenario[] {
  const dealt = Array.from({ length: fleet }, () => ({ dueMs: [] as number[], creates: [] as boolean[] }));
  for (const [n, due] of arrivalsOf(inputs).entries()) {
    const turn = Math.floor(n / fleet);
    const own = dealt[n % fleet];
    own?.dueMs.push(due);
    // The keys start at different points of the same rhythm, so that creations are spread as well.
    const nth = turn + (n % fleet) / fleet;
    own?.creates.push(Math.floor((nth + 1) * inputs.createShare) > Math.floor(nth * inputs.createShare));
  }
  return dealt.map(({ dueMs, creates }, at) => {
    const key: KeyAlias = `fleet-${at + 1}`;
    const step = { kind: 'scheduled', requests: dueMs.length, dueMs, creates } as const;
    return scenarioOf(key, [{ kind: 'preflight' }, awaitFullQuota, step]);
  });
}

/** How many keys a rate needs at the least, each with a share that `mostForKey` allows. */
export const keysForRate = (limits: Limits, perSecond: number): number =>
  Math.ceil((perSecond * windowMs(limits)) / 1000 / Math.max(1, mostForKey(limits) - 1) - 1e-9);
