import type { Scenario, Step } from '../model/profile.ts';

/** How many requests a step sends. */
export function requestsOfStep(step: Step): number {
  if (step.kind === 'preflight') return 1;
  return 'requests' in step ? step.requests : 0;
}

/** How many requests a lane sends. */
export const requestsOf = ({ steps }: Scenario): number =>
  steps.reduce((sum, step) => sum + requestsOfStep(step), 0);
