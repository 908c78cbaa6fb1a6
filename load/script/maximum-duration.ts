import type { Limits } from '../../spec/plans.ts';
import type { Scenario, Step } from '../model/profile.ts';
import { requestsOf } from '../profiles/requests.ts';

/** How long a request may take before it counts as unanswered, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** No lawful limiter of a minute makes anybody wait for so many windows; some block a key for two. */
const WINDOWS_OF_PATIENCE = 5;

/**
 * The longest that a lane may take against any lawful limiter of the plan, in
 * milliseconds: what would take longer is a key that is banned, a day that is
 * spent, or a script that hangs. A lane that spends the day may wait for its end.
 */
export function maximumDurationMs(scenario: Scenario, limits: Limits): number {
  const patience = WINDOWS_OF_PATIENCE * limits.minuteSeconds * 1000;
  const day = requestsOf(scenario) >= limits.perDay ? limits.daySeconds * 1000 : 0;
  const longest = (step: Step): number => {
    switch (step.kind) {
      case 'preflight':
        return REQUEST_TIMEOUT_MS;
      case 'await full quota':
        return 2 * patience + step.lastsMs;
      case 'paced':
        return step.overMs + REQUEST_TIMEOUT_MS;
      case 'persist':
        return step.requests * step.everyMs + REQUEST_TIMEOUT_MS;
      case 'burst':
        return Math.ceil(step.requests / step.atOnce) * REQUEST_TIMEOUT_MS;
      case 'await retry-after':
        return patience + day + step.guardMs;
      case 'polite':
        return (
          step.requests * REQUEST_TIMEOUT_MS + (Math.ceil(step.requests / limits.perMinute) + 1) * patience
        );
    }
  };
  return scenario.steps.reduce((sum, step) => sum + longest(step), 0);
}
