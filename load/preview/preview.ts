import type { KeyAlias, Need, Profile, ProfileId, ProfileInputs, Scenario, Step } from '../model/profile.ts';
import { guardMs, windowMs } from '../profiles/arithmetic.ts';
import { needsOf } from '../profiles/index.ts';
import { requestsOf } from '../profiles/requests.ts';
import { mostInMinute } from './most-in-minute.ts';

/** What a run of a profile will do, known before its first request. */
export interface Preview {
  readonly profile: ProfileId;
  /** By key, in the order of the lanes. */
  readonly keys: readonly KeyPreview[];
  /** Of all keys. */
  readonly requests: number;
  /** Categories that will remain on the target, because the specification has no way to delete one. */
  readonly creations: number;
  /** Of all keys, where they peak at the same time. */
  readonly peak: Peak;
  readonly seconds: Duration;
  readonly needs: readonly Need[];
  readonly banRisk: Profile['banRisk'];
}

/** The part of one key. */
export interface KeyPreview {
  readonly key: KeyAlias;
  /** Exactly so many are sent, unless the run is stopped. */
  readonly requests: number;
  readonly creations: number;
  readonly peak: Peak;
  /** The most requests in any window of a minute, however quick the target answers. */
  readonly mostInMinute: number;
  /** Of the limit per minute; 1 is all of it, more goes beyond it. */
  readonly minuteShare: number;
  /** Of the day's quota. */
  readonly dayShare: number;
}

/** How dense requests are. */
export interface Peak {
  /** The highest even rate, in requests per second; 0 where nothing is sent by the clock. */
  readonly perSecond: number;
  /** The most under way at the same time where the target's answers set the pace. */
  readonly atOnce: number;
}

/** How long a run takes, in seconds. */
export interface Duration {
  /** About: for keys that were left alone, a target that answers in a 1,200th of its window (50 ms of a minute), and waits of a whole window. */
  readonly usual: number;
  /** The same where a key was used within the last two windows, so that two have to pass first. */
  readonly afterUse: number;
}

/** What of a window an answer is taken to last: 50 ms of a minute. */
const ANSWERS_IN_WINDOW = 1200;

/** Previews a profile under these means. Pure; counts are exact, durations are estimates. */
export function previewOf(profile: Profile, inputs: ProfileInputs): Preview {
  const scenarios = profile.scenarios(inputs);
  const keys = scenarios.map((scenario) => keyPreview(scenario, inputs));
  const usual = wholeMs(Math.max(...scenarios.map((scenario) => scenarioSeconds(scenario, inputs))));
  const finds = scenarios.some(({ steps }) => steps.some(({ kind }) => kind === 'await full quota'));
  const found = (2 * windowMs(inputs.limits) + guardMs(inputs.limits)) / 1000;
  return {
    profile: profile.id,
    keys,
    requests: sum(keys.map(({ requests }) => requests)),
    creations: sum(keys.map(({ creations }) => creations)),
    peak: {
      perSecond: sum(keys.map(({ peak }) => peak.perSecond)),
      atOnce: sum(keys.map(({ peak }) => peak.atOnce)),
    },
    seconds: { usual, afterUse: finds ? wholeMs(usual + found) : usual },
    needs: needsOf(profile, inputs),
    banRisk: profile.banRisk,
  };
}

function keyPreview(scenario: Scenario, { limits }: ProfileInputs): KeyPreview {
  const requests = requestsOf(scenario);
  const inMinute = mostInMinute(scenario, limits);
  return {
    key: scenario.key,
    requests,
    creations: sum(
      scenario.steps.map((step) =>
        step.kind === 'paced' && step.operation === 'create' ? step.requests : 0,
      ),
    ),
    peak: {
      perSecond: Math.max(...scenario.steps.map(perSecond)),
      atOnce: Math.max(...scenario.steps.map(atOnce)),
    },
    mostInMinute: inMinute,
    minuteShare: inMinute / limits.perMinute,
    dayShare: requests / limits.perDay,
  };
}

function perSecond(step: Step): number {
  if (step.kind === 'paced') return (1000 * step.requests) / step.overMs;
  return step.kind === 'persist' ? 1000 / step.everyMs : 0;
}

function atOnce(step: Step): number {
  if (step.kind === 'burst') return Math.min(step.requests, step.atOnce);
  return step.kind === 'preflight' || step.kind === 'polite' ? 1 : 0;
}

/** Seconds to the millisecond: what a sum of fractions has beyond it means nothing. */
const wholeMs = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** How long a lane takes with a key that was left alone, in seconds. */
function scenarioSeconds({ steps }: Scenario, { limits }: ProfileInputs): number {
  const window = windowMs(limits);
  const answer = window / ANSWERS_IN_WINDOW;
  let isRateLimited = false;
  const lasts = (step: Step): number => {
    switch (step.kind) {
      case 'preflight':
        return answer;
      case 'await full quota':
        return 0;
      case 'paced':
        return step.overMs;
      case 'burst':
        isRateLimited = step.requests >= limits.perMinute;
        return Math.ceil(step.requests / step.atOnce) * answer;
      case 'await retry-after':
        return isRateLimited ? window + step.guardMs : 0;
      case 'polite':
        return step.requests * answer + Math.floor(step.requests / (limits.perMinute + 1)) * window;
      case 'persist':
        return step.requests * step.everyMs;
    }
  };
  return sum(steps.map(lasts)) / 1000;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
