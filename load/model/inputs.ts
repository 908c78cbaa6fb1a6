import type { Static } from '../../kernel/basics/shape.ts';
import { listOf, maybe, object, where } from '../../kernel/basics/shape.ts';
import { count, exactly, number, positive, text } from '../../kernel/basics/simple-shapes.ts';
import { limitsShape } from '../../spec/plans.ts';

/** What a capacity run sends, in all. */
const capacity = object({
  perSecond: positive,
  /** Its duration, the ramp included. */
  seconds: positive,
  /** How long the rate rises evenly from zero. */
  rampSeconds: number,
  /** The share of creations, from 0 to 1. */
  createShare: number,
  arrivals: exactly('even', 'poisson'),
});
export type CapacityInputs = Static<typeof capacity>;

/** Consecutive keys of a fleet that belong to one plan. */
const fleetPlan = object({
  plan: text,
  limits: limitsShape,
  /** How many keys. */
  keys: count,
});
export type FleetPlan = Static<typeof fleetPlan>;

/** The inputs from which a profile makes its scenarios. */
export const inputsShape = where(
  object({
    limits: limitsShape,
    /** How many keys the fleet has; at least 1. Profiles without a fleet ignore it. */
    fleet: positive,
    /** The plans of the keys of the fleet, in their order; absent where all belong to the plan of `limits`. */
    fleetPlans: maybe(listOf(fleetPlan)),
    /** How long a soak lasts, in windows of a minute. */
    minutes: positive,
    /** What a capacity run sends; its default where it is absent. Other profiles ignore it. */
    capacity: maybe(capacity),
    /** The user states that no other client uses the keys during the run. Absent where that is unknown; changes no scenario. */
    exclusiveKeys: maybe(exactly(true)),
  }),
  ({ fleet, fleetPlans }) =>
    fleetPlans === undefined || fleetPlans.reduce((sum, { keys }) => sum + keys, 0) === fleet,
  'must have a plan for each key of the fleet',
);
export type ProfileInputs = Static<typeof inputsShape>;
