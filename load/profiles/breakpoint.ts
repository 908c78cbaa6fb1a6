import type { Limits } from '../../spec/plans.ts';
import type { ProfileInputs } from '../model/inputs.ts';
import type { Profile, Step } from '../model/profile.ts';
import { awaitFullQuota, fleetScenarios, inTurn, pacedStep, plansOf } from './arithmetic.ts';

/** The share of the sustainable rate in each step. */
const SHARES = [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1] as const;

/** How long a step lasts, in windows. */
const STEP_WINDOWS = 0.5;

/**
 * How many responses the first step takes, since the others are compared with them: enough that a rank test is certain of
 * a step most of whose responses are slower.
 */
const BASELINE_RESPONSES = 20;

/** How long the first step lasts at the longest, in windows. */
const LONGEST_BASELINE = 3;

/** A fleet whose rate rises in steps to the sustainable rate of each key; it stops early where the target breaks. */
export const breakpoint = {
  id: 'breakpoint',
  description:
    'Raises the rate of a fleet in six steps of half a window, up to nine tenths of each limit, and stops when the target breaks; a small fleet takes longer at the lowest rate, for enough responses to compare with.',
  why: 'Shows the rate at which latency rises or errors start, before customers find it.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX', 'HOLDS'],
  scenarios(inputs) {
    const baseline = baselineWindows(inputs);
    const stepOf = (limits: Limits, share: number, at: number): Step =>
      pacedStep(limits, { share, windows: at === 0 ? baseline : STEP_WINDOWS });
    return inTurn(
      fleetScenarios(inputs, (limits) => [
        { kind: 'preflight' },
        awaitFullQuota,
        ...SHARES.map((share, at) => stepOf(limits, share, at)),
      ]),
    );
  },
} as const satisfies Profile;

/** How long the first step lasts, in windows: as the others, or longer where the fleet is too small for enough responses. */
function baselineWindows(inputs: ProfileInputs): number {
  const responses = (windows: number): number =>
    plansOf(inputs)
      .map(({ limits, keys }) => keys * pacedStep(limits, { share: SHARES[0], windows }).requests)
      .reduce((sum, one) => sum + one, 0);
  let windows = STEP_WINDOWS;
  while (windows < LONGEST_BASELINE && responses(windows) < BASELINE_RESPONSES) windows += 0.25;
  return windows;
}
