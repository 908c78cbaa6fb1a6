import type { Limits } from '../../spec/plans.ts';
import type { Scenario, Step } from '../model/profile.ts';
import { dueMsOf, windowMs } from '../profiles/arithmetic.ts';

/** A number of requests at a moment, in milliseconds from the start of the scenario. */
interface Moment {
  readonly at: number;
  readonly requests: number;
}

/** Tolerance for rounding errors of divided times, in milliseconds. */
const ROUNDING_MS = 1e-6;

/**
 * The most requests that a scenario sends within any window of a minute, assuming that the
 * target responds at once and no wait is longer than required. A polite step sends at most the
 * limit and one rate-limited request, and then waits for a window.
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
    for (
      let oldest = moments[first];
      oldest !== undefined && oldest.at <= at - window + ROUNDING_MS;
      oldest = moments[first]
    ) {
      inWindow -= oldest.requests;
      first += 1;
    }
    most = Math.max(most, inWindow);
  }
  return most;
}

function momentsOf(step: Step, start: number, limits: Limits): readonly Moment[] {
  switch (step.kind) {
    case 'preflight':
      return [{ at: start, requests: 1 }];
    case 'await full quota':
    case 'await retry-after':
      return [];
    case 'rest':
      return [{ at: start + step.forMs, requests: 0 }];
    case 'burst':
      return [{ at: start, requests: step.requests }];
    case 'paced':
      return [...scheduledMoments(step, start), { at: start + step.overMs, requests: 0 }];
    case 'scheduled':
    case 'persist':
      return scheduledMoments(step, start);
    case 'polite':
      return portions(step.requests, limits.perMinute + 1).map((requests, n) => ({
        at: start + n * windowMs(limits),
        requests,
      }));
  }
}

const scheduledMoments = (step: Parameters<typeof dueMsOf>[0], start: number): readonly Moment[] =>
  dueMsOf(step).map((due) => ({ at: start + due, requests: 1 }));

/** Splits a total into portions of at most `most`. */
const portions = (total: number, most: number): readonly number[] =>
  Array.from({ length: Math.ceil(total / most) }, (_, n) => Math.min(most, total - n * most));
