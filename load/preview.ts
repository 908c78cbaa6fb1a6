import { greatest } from '../kernel/exchanges/collections.ts';
import { dayAllowance } from '../kernel/usage-ledger/day-usage.ts';
import type { Limits } from '../spec/plans.ts';
import type { CapacityInputs, Profile, ProfileInputs, Scenario, Step } from './model/profile.ts';
import {
  dueMsOf,
  mostWithin,
  restMs,
  scenarioRequests,
  scheduledMs,
  windowMs,
} from './profiles/arithmetic.ts';
import { capacity, keysForRate, mostForKey } from './profiles/many-keys.ts';

/** Tolerance for rounding errors of divided times, in milliseconds. */
const ROUNDING_MS = 1e-6;

/**
 * The most requests that a scenario sends within any window of a minute, assuming that the
 * target responds at once and no wait is longer than required. A polite step sends at most the
 * limit and one rate-limited request, and then waits for a window.
 */
export function mostInMinute({ steps, limits }: Scenario): number {
  const moments: number[] = [];
  let start = 0;
  for (const step of steps) {
    for (const ms of momentsIn(step, limits)) moments.push(start + ms);
    start = Math.max(start + scheduledMs(step), moments.at(-1) ?? 0);
  }
  return mostWithin(moments, windowMs(limits) - ROUNDING_MS);
}

/** When the requests of a step are sent, in milliseconds from its start, ascending. */
function momentsIn(step: Step, limits: Limits): readonly number[] {
  switch (step.kind) {
    case 'await full quota':
    case 'await retry-after':
    case 'rest':
      return [];
    case 'preflight':
      return [0];
    case 'burst':
      return Array.from({ length: step.requests }, () => 0);
    case 'polite':
      return Array.from(
        { length: step.requests },
        (_, n) => Math.floor(n / (limits.perMinute + 1)) * windowMs(limits),
      );
    default:
      return dueMsOf(step);
  }
}

export type Preview = Readonly<ReturnType<typeof previewProfile>>;
export type KeyPreview = Readonly<ReturnType<typeof keyPreview>>;

export interface Peak {
  /** The highest scheduled rate, in requests per second; 0 where nothing is scheduled. */
  readonly perSecond: number;
  /** The most requests in flight at the same time in steps that are paced by the responses. */
  readonly concurrency: number;
}

/** Responses in a window, one after the other: 50 ms each in a minute. */
const RESPONSES_IN_WINDOW = 1200;

/** Previews a profile with these inputs. Pure; counts are exact, durations are estimates. */
export function previewProfile(profile: Profile, inputs: ProfileInputs) {
  const scenarios = profile.scenarios(inputs);
  const keys = scenarios.map(keyPreview);
  const expected = toMilliseconds(greatest(scenarios.map(scenarioSeconds)));
  const awaitsQuota = scenarios.some(({ steps }) => steps.some(({ kind }) => kind === 'await full quota'));
  const wait = restMs(inputs.limits) / 1000;
  return {
    profile: profile.id,
    keys,
    requests: sum(keys.map(({ requests }) => requests)),
    /** Categories that stay on the target: the specification has no operation that deletes one. */
    creations: sum(keys.map(({ creations }) => creations)),
    /** Of all keys, if they peak at the same time. */
    peak: {
      perSecond: sum(keys.map(({ peak }) => peak.perSecond)),
      concurrency: sum(keys.map(({ peak }) => peak.concurrency)),
    } satisfies Peak,
    seconds: {
      /** With unused keys, responses within a 1,200th of the window (50 ms of a minute), and waits of one window. */
      expected,
      /** The same if a key was used within the last two windows, so that the run first waits for two windows. */
      afterRecentUse: awaitsQuota ? toMilliseconds(expected + wait) : expected,
    },
    needs: needsOf(scenarios),
    banRisk: banRiskOf(scenarios, keys),
  };
}

/** `none` within every limit, `intended` where a key keeps sending beyond it. */
export type BanRisk = 'none' | 'low' | 'intended';

function banRiskOf(scenarios: readonly Scenario[], keys: readonly KeyPreview[]): BanRisk {
  if (scenarios.some(({ steps }) => steps.some(({ kind }) => kind === 'persist'))) return 'intended';
  return keys.some(({ minuteShare, dayShare }) => Math.max(minuteShare, dayShare) > 1) ? 'low' : 'none';
}

/** What a run needs beyond the key of the plan. */
export type Need =
  | 'other key'
  | 'disposable key'
  /** Permission to use a whole day's quota: one of its keys would use more than nine tenths of it. */
  | 'whole day';

function needsOf(scenarios: readonly Scenario[]): readonly Need[] {
  const ofKeys = (['other', 'disposable'] as const).flatMap((alias) =>
    scenarios.some(({ key }) => key === alias) ? ([`${alias} key`] as const) : [],
  );
  const isWhole = scenarios.some((one) => scenarioRequests(one) > dayAllowance(one.limits));
  return isWhole ? [...ofKeys, 'whole day'] : ofKeys;
}

function keyPreview(scenario: Scenario) {
  const { limits } = scenario;
  const requests = scenarioRequests(scenario);
  const inMinute = mostInMinute(scenario);
  return {
    key: scenario.key,
    /** Exactly this many are sent, unless the run stops. */
    requests,
    creations: sum(scenario.steps.map(stepCreations)),
    peak: {
      perSecond: Math.max(...scenario.steps.map(stepRate)),
      concurrency: Math.max(...scenario.steps.map(stepConcurrency)),
    } satisfies Peak,
    /** The most requests in any window of a minute, however fast the target responds. */
    mostInMinute: inMinute,
    /** More than 1 exceeds the limit. */
    minuteShare: inMinute / limits.perMinute,
    dayShare: requests / limits.perDay,
  };
}

function stepCreations(step: Step): number {
  if (step.kind === 'scheduled') return step.creates.filter(Boolean).length;
  return 'operation' in step && step.operation === 'create' ? step.requests : 0;
}

function stepRate(step: Step): number {
  if (step.kind === 'scheduled') return highestRate(step.dueMs);
  return 'overMs' in step ? (1000 * step.requests) / step.overMs : 0;
}

/** The most requests of a schedule in any second, or its rate where that is more than one apart. */
function highestRate(dueMs: readonly number[]): number {
  // Requests that are a second apart, less what rounding may add, are not in one second.
  const most = mostWithin(dueMs, 1000 - 1e-5);
  const whole = (1000 * dueMs.length) / (dueMs.at(-1) ?? 1000);
  return most > 1 ? most : Math.min(most, whole);
}

function stepConcurrency(step: Step): number {
  if (step.kind === 'burst') return Math.min(step.requests, step.concurrency);
  return step.kind === 'preflight' || step.kind === 'polite' ? 1 : 0;
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

function scenarioSeconds({ steps, limits }: Scenario): number {
  const window = windowMs(limits);
  const response = window / RESPONSES_IN_WINDOW;
  let rateLimited = false;
  const duration = (step: Step): number => {
    switch (step.kind) {
      case 'preflight':
        return response;
      case 'burst':
        rateLimited = step.requests >= limits.perMinute;
        return Math.ceil(step.requests / step.concurrency) * response;
      case 'await retry-after':
        return rateLimited ? window + step.marginMs : 0;
      case 'polite':
        return step.requests * response + Math.floor(step.requests / (limits.perMinute + 1)) * window;
      default:
        return scheduledMs(step);
    }
  };
  return sum(steps.map(duration)) / 1000;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/**
 * How many keys a capacity run needs, so that none comes closer to its limit than every conforming limiter allows.
 * @returns undefined where those of the fleet are enough.
 */
export function keysNeeded(inputs: CapacityInputs, limits: Limits, fleet: number): number | undefined {
  const isEnough = (keys: number): boolean =>
    capacity
      .scenarios({ limits, fleet: keys, minutes: 1, capacity: inputs })
      .every((scenario) => mostInMinute(scenario) <= mostForKey(limits));
  if (isEnough(fleet)) return undefined;
  let needed = Math.max(fleet + 1, keysForRate(limits, inputs.perSecond));
  // Random arrivals need more keys than the rate alone.
  for (let tries = 0; tries < 20 && !isEnough(needed); tries += 1) needed = Math.ceil(needed * 1.1);
  return needed;
}

/**
 * The total of all repetitions of a profile. Between two of them the keys rest, so that every run starts with unused
 * keys, and none has to wait where another has not.
 */
export function totalOf(preview: Preview, runs: number, limits: Limits) {
  const others = (runs - 1) * (preview.seconds.expected + restMs(limits) / 1000);
  return {
    runs,
    requests: runs * preview.requests,
    creations: runs * preview.creations,
    seconds: {
      expected: preview.seconds.expected + others,
      afterRecentUse: preview.seconds.afterRecentUse + others,
    },
  };
}
