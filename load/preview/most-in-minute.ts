import type { Limits } from '../../spec/plans.ts';
import type { Scenario, Step } from '../model/profile.ts';
import { windowMs } from '../profiles/arithmetic.ts';

/** So many requests at this moment, in milliseconds from the beginning of the lane. */
interface Moment {
  readonly at: number;
  readonly requests: number;
}

/** Room, in milliseconds, for the noise of dividing a time. */
const NOISE = 1e-6;

/**
 * The most requests that a lane sends within any window of a minute: where the
 * target answers at once and no wait is longer than it must be. What a polite step sends is at most the
 * limit and the one request that is refused, and then a window's wait.
 */
export function mostInMinute({ steps }: Scenario, limits: Limits): number {
  const window = windowMs(limits);
  const moments: Moment[] = [];
  let now = 0;
  for (const step of steps) {
    moments.push(...momentsOf(step, now, limits));
    now = Math.max(now, moments.at(-1)?.at ?? 0);
  }
  let most = 0;
  let inWindow = 0;
  let first = 0;
  for (const { at, requests } of moments) {
    inWindow += requests;
    for (let old = moments[first]; old !== undefined && old.at <= at - window + NOISE; old = moments[first]) {
      inWindow -= old.requests;
      first += 1;
    }
    most = Math.max(most, inWindow);
  }
  return most;
}

function momentsOf(step: Step, from: number, limits: Limits): readonly Moment[] {
  switch (step.kind) {
    case 'preflight':
      return [{ at: from, requests: 1 }];
    case 'await full quota':
    case 'await retry-after':
      return [];
    case 'burst':
      return [{ at: from, requests: step.requests }];
    case 'paced':
      return row(step.requests, from, step.overMs);
    case 'persist':
      return row(step.requests, from, step.requests * step.everyMs);
    case 'polite':
      return portions(step.requests, limits.perMinute + 1).map((requests, at) => ({
        at: from + at * windowMs(limits),
        requests,
      }));
  }
}

const row = (requests: number, from: number, overMs: number): readonly Moment[] =>
  Array.from({ length: requests }, (_, n) => ({ at: from + ((n + 1) * overMs) / requests, requests: 1 }));

const portions = (whole: number, most: number): readonly number[] =>
  Array.from({ length: Math.ceil(whole / most) }, (_, n) => Math.min(most, whole - n * most));
