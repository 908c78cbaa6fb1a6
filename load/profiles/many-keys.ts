import { least } from '../../kernel/exchanges/collections.ts';
import { dayAllowance } from '../../kernel/usage-ledger/day-usage.ts';
import type { Limits } from '../../spec/plans.ts';
import type { CapacityInputs, KeyAlias, Profile, Scenario } from '../model/profile.ts';
import {
  arrivalsOf,
  awaitFullQuota,
  evenStep,
  fleetScenarios,
  halfRateScenario,
  inTurn,
  loudScenario,
  pacedStep,
  scenarioOf,
  sustainableRate,
  waitAndRetry,
  windowMs,
} from './arithmetic.ts';

export const isolation = {
  id: 'isolation',
  description:
    'Exceeds the limit with the key under test, while another caller sends at half the sustainable rate.',
  why: 'Shows that each caller has its own limit: one that is rate-limited does not slow down another.',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'RATE-LIMITED', 'NEIGHBOUR'],
  scenarios: ({ limits }) => [loudScenario('key', limits), halfRateScenario('other', limits)],
} as const satisfies Profile;

/** Requests sent despite 429 responses: well beyond the few after which services ban a key. */
const PERSISTENT_REQUESTS = 20;

export const offender = {
  id: 'offender',
  description:
    'Keeps sending after 429 with a disposable key, while the key under test sends at half the sustainable rate.',
  why: 'Shows whether and how an offender is banned, that a ban ends as announced, and that other callers are not affected.',
  expects: ['SENT', 'NO-5XX', 'CEILING', 'RATE-LIMITED', 'NEIGHBOUR', 'BAN-ENDS'],
  scenarios({ limits }) {
    const overMs = PERSISTENT_REQUESTS * Math.ceil(windowMs(limits) / 240);
    const persist = evenStep('persist', PERSISTENT_REQUESTS, overMs);
    return [
      loudScenario('disposable', limits, [persist, ...waitAndRetry(limits)]),
      halfRateScenario('key', limits),
    ];
  },
} as const satisfies Profile;

/** How many windows the other keys send: the one that exceeds its limit may have to wait two before its burst. */
const WINDOWS = 3;

export const plans = {
  id: 'plans',
  description:
    'Sends with every key of a fleet of several plans nine tenths of the limit of its own plan at once, while the first key of the smallest plan exceeds its limit.',
  why: 'Shows that each key has the limit of its own plan, and that a plan that is exhausted does not slow down or limit another.',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'FLOOR', 'CEILING', 'RATE-LIMITED', 'NEIGHBOUR'],
  scenarios(inputs) {
    const all = fleetScenarios(inputs, (limits) => [pacedStep(limits, { share: 1, windows: WINDOWS })]);
    // Of the lowest limit, the fewest requests go beyond it.
    const lowest = least(all.map(({ limits }) => limits.perMinute));
    const loud = all.find(({ limits }) => limits.perMinute === lowest);
    const others = inTurn(all.filter((one) => one !== loud));
    const byKey = new Map(others.map((one) => [one.key, one]));
    return all.map((one) => byKey.get(one.key) ?? loudScenario(one.key, one.limits));
  },
} as const satisfies Profile;

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

export const capacity = {
  id: 'capacity',
  description:
    'Sends --rate requests a second in all, by a fleet of keys, for --duration, --creates percent of them creations.',
  why: 'Shows whether the target serves the rate that it was built for, with the operations that customers use.',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX'],
  scenarios: ({ limits, fleet, capacity: inputs = defaultCapacity(limits, fleet) }) =>
    scenariosOf(inputs, limits, fleet),
} as const satisfies Profile;

function scenariosOf(inputs: CapacityInputs, limits: Limits, fleet: number): readonly Scenario[] {
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
    return scenarioOf(key, limits, [awaitFullQuota, step]);
  });
}

/** How many keys a rate needs at the least, each with a share that `mostForKey` allows. */
export const keysForRate = (limits: Limits, perSecond: number): number =>
  Math.ceil((perSecond * windowMs(limits)) / 1000 / Math.max(1, mostForKey(limits) - 1) - 1e-9);
