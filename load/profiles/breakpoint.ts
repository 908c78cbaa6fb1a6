import type { Profile } from '../model/profile.ts';
import { awaitFullQuota, fleetScenarios, inTurn, pacedStep } from './arithmetic.ts';

/** The share of the sustainable rate in each step. */
const SHARES = [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1];

/** How long a step lasts, in windows. */
const STEP_WINDOWS = 0.5;

/** A fleet whose rate rises in steps to the sustainable rate of each key; it stops early where the target breaks. */
export const breakpoint: Profile = {
  id: 'breakpoint',
  description:
    'Raises the rate of a fleet in six steps of half a window, up to nine tenths of each limit, and stops when the target breaks.',
  why: 'Shows the rate at which latency rises or errors start, before customers find it.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX', 'HOLDS'],
  scenarios: (inputs) =>
    inTurn(
      fleetScenarios(inputs, (limits) => [
        { kind: 'preflight' },
        awaitFullQuota,
        ...SHARES.map((share) => pacedStep(limits, { share, windows: STEP_WINDOWS })),
      ]),
    ),
};
