import type { Scenario, Step } from '../model/profile.ts';

/** How many requests a step sends. */
export function stepRequests(step: Step): number {
  if (step.kind === 'preflight') return 1;
  return 'requests' in step ? step.requests : 0;
}

/** How many requests a scenario sends. */
export const scenarioRequests = ({ steps }: Scenario): number =>
  steps.reduce((sum, step) => sum + stepRequests(step), 0);

/** How many requests scenarios send together. */
export const totalRequests = (scenarios: readonly Scenario[]): number =>
  scenarios.reduce((sum, scenario) => sum + scenarioRequests(scenario), 0);
