import type { Limits } from '../../spec/plans.ts';
import type { Scenario, Step } from '../model/profile.ts';
import { scenarioRequests } from '../profiles/requests.ts';

/** How long a request may take before it counts as one without a response, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** No conforming limiter of a minute requires a wait of this many windows; some block a key for two. */
const LONGEST_WAIT_WINDOWS = 5;

/**
 * The longest that a scenario may take against any conforming limiter of the plan, in
 * milliseconds. A longer one means a banned key, an exhausted day, or a script
 * that hangs. A scenario that exhausts the day may wait until it ends.
 */
export function maximumDurationMs(scenario: Scenario, limits: Limits): number {
  const longestWait = LONGEST_WAIT_WINDOWS * limits.minuteSeconds * 1000;
  const day = scenarioRequests(scenario) >= limits.perDay ? limits.daySeconds * 1000 : 0;
  const maximum = (step: Step): number => {
    switch (step.kind) {
      case 'preflight':
        return REQUEST_TIMEOUT_MS;
      case 'await full quota':
        return 2 * longestWait + step.neededMs;
      case 'rest':
        return step.forMs;
      case 'paced':
        return step.overMs + REQUEST_TIMEOUT_MS;
      case 'scheduled':
        return (step.dueMs.at(-1) ?? 0) + REQUEST_TIMEOUT_MS;
      case 'persist':
        return step.requests * step.everyMs + REQUEST_TIMEOUT_MS;
      case 'burst':
        return Math.ceil(step.requests / step.concurrency) * REQUEST_TIMEOUT_MS;
      case 'await retry-after':
        return longestWait + day + step.marginMs;
      case 'polite':
        return (
          step.requests * REQUEST_TIMEOUT_MS + (Math.ceil(step.requests / limits.perMinute) + 1) * longestWait
        );
    }
  };
  return scenario.steps.reduce((sum, step) => sum + maximum(step), 0);
}
