import type { Limits } from '../../spec/plans.ts';
import type { CapacityInputs } from '../model/inputs.ts';
import { capacity, keysForRate, mostForKey } from '../profiles/capacity.ts';
import { mostInMinute } from './most-in-minute.ts';

/**
 * How many keys a capacity run needs, so that none comes closer to its limit than every conforming limiter allows.
 * @param fleet how many keys it has.
 * @returns undefined where these are enough.
 */
export function keysNeeded(inputs: CapacityInputs, limits: Limits, fleet: number): number | undefined {
  const isEnough = (keys: number): boolean =>
    capacity
      .scenarios({ limits, fleet: keys, minutes: 1, capacity: inputs })
      .every((scenario) => mostInMinute(scenario, limits) <= mostForKey(limits));
  if (isEnough(fleet)) return undefined;
  let needed = Math.max(fleet + 1, keysForRate(limits, inputs.perSecond));
  // Random arrivals need more keys than the rate alone.
  for (let tries = 0; tries < 20 && !isEnough(needed); tries += 1) needed = Math.ceil(needed * 1.1);
  return needed;
}
