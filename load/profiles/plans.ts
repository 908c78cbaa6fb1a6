import type { Limits } from '../../spec/plans.ts';
import type { ProfileInputs } from '../model/inputs.ts';
import type { Profile, Scenario } from '../model/profile.ts';
import {
  exceedLimit,
  fleetScenarios,
  inTurn,
  pacedStep,
  plansOf,
  restForBaseline,
  scenarioOf,
} from './arithmetic.ts';

/** How many windows the other keys send: the one that exceeds its limit may have to wait two before its burst. */
const WINDOWS = 3;

/** Keys of several plans at the same time, each at the rate of its own plan; one of them exceeds its limit. */
export const plans = {
  id: 'plans',
  description:
    'Sends with every key of a fleet of several plans nine tenths of the limit of its own plan at once, while the first key of the smallest plan exceeds its limit.',
  why: 'Shows that each key has the limit of its own plan, and that a plan that is exhausted does not slow down or limit another.',
  needs: [],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'FLOOR', 'CEILING', 'RATE-LIMITED', 'NEIGHBOUR'],
  scenarios(inputs) {
    const all = fleetScenarios(inputs, (limits) => [
      { kind: 'preflight' },
      pacedStep(limits, { share: 1, windows: WINDOWS }),
    ]);
    const loud = all.find((one) => limitsOf(one, inputs) === smallest(inputs));
    const others = inTurn(all.filter((one) => one !== loud));
    const byKey = new Map(others.map((one) => [one.key, one]));
    return all.map((one) => byKey.get(one.key) ?? exceeding(one, limitsOf(one, inputs)));
  },
} as const satisfies Profile;

const limitsOf = (scenario: Scenario, { limits }: ProfileInputs): Limits => scenario.limits ?? limits;

/** The limits of the plan with the lowest limit a minute, whose key sends the fewest requests beyond it. */
const smallest = (inputs: ProfileInputs): Limits =>
  plansOf(inputs).reduce(
    (least, { limits }) => (limits.perMinute < least.perMinute ? limits : least),
    plansOf(inputs)[0]?.limits ?? inputs.limits,
  );

/** The same key, which exceeds its limit after the others were measured without it. */
const exceeding = (scenario: Scenario, limits: Limits): Scenario => ({
  ...scenario,
  ...scenarioOf(scenario.key, exceedLimit(limits, restForBaseline(limits))),
});
