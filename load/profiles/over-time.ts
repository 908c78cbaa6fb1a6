import { dayAllowance } from '../../kernel/usage-ledger/day-usage.ts';
import type { Limits } from '../../spec/plans.ts';
import type { FleetPlan, Profile, ProfileInputs, Step } from '../model/profile.ts';
import {
  awaitFullQuota,
  burstStep,
  evenStep,
  fleetScenarios,
  inTurn,
  pacedStep,
  plansOf,
  sustainableRate,
  windowMs,
} from './arithmetic.ts';

/** The default duration of a soak, in windows of a minute, if the day's quota suffices. */
const DEFAULT_MINUTES = 10;

/** The most windows of a minute that a soak may last without using more than nine tenths of a day; at least 1. */
export const longestSoak = (limits: Limits): number =>
  Math.max(1, Math.floor((dayAllowance(limits) - 1) / sustainableRate(limits)));

/** How long a soak lasts without `--minutes`, in windows of a minute. @param plans those of its keys, where they have several. */
export const defaultSoak = (limits: Limits, plans: readonly FleetPlan[] = []): number =>
  Math.min(
    DEFAULT_MINUTES,
    ...(plans.length === 0 ? [{ limits }] : plans).map((one) => longestSoak(one.limits)),
  );

export const soak = {
  id: 'soak',
  description:
    'Sends nine tenths of the limit with every key of a fleet, for as many windows as --minutes states.',
  why: 'Shows what appears only after a long time: leaks, slowly rising latency, counters that drift.',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX', 'STEADY'],
  scenarios: (inputs) =>
    inTurn(
      fleetScenarios(inputs, (limits) => {
        const most = Math.max(1, dayAllowance(limits) - 1);
        const paced = pacedStep(limits, { share: 1, windows: inputs.minutes, most });
        return [awaitFullQuota, paced];
      }),
    ),
} as const satisfies Profile;

export const spike = {
  id: 'spike',
  description:
    'Sends at a low rate with every key of a fleet, bursts with all keys at once to three fifths of their limits, and returns to the low rate.',
  why: 'Shows how far latency rises and how soon it recovers when all customers send at the same moment within their limits.',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX', 'RECOVERS'],
  scenarios: (inputs) => fleetScenarios(inputs, stepsOf),
} as const satisfies Profile;

function stepsOf(limits: Limits): readonly Step[] {
  const { perMinute } = limits;
  const each = Math.floor(perMinute / 6);
  const lowRate = evenStep('paced', each, windowMs(limits) / 2);
  const most = Math.max(0, Math.min(Math.floor((perMinute * 3) / 5), perMinute - 2 * each - 2));
  // A limit of 1 or 2 is too small for a burst beside the preflight request.
  const peak = most > 0 ? burstStep(limits, most, 'steep') : pacedStep(limits, { share: 1, windows: 2 });
  return [awaitFullQuota, lowRate, peak, lowRate];
}

/** The share of the sustainable rate in each step. */
const SHARES = [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1] as const;

const STEP_WINDOWS = 0.5;

/**
 * How many responses the first step takes, since the others are compared with them: enough that a rank test is certain of
 * a step most of whose responses are slower.
 */
const BASELINE_RESPONSES = 20;

/** How long the first step lasts at the longest, in windows. */
const LONGEST_BASELINE = 3;

export const breakpoint = {
  id: 'breakpoint',
  description:
    'Raises the rate of a fleet in six steps of half a window, up to nine tenths of each limit, and stops when the target breaks; a small fleet takes longer at the lowest rate, for enough responses to compare with.',
  why: 'Shows the rate at which latency rises or errors start, before customers find it.',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX', 'HOLDS'],
  scenarios(inputs) {
    const baseline = baselineWindows(inputs);
    const stepOf = (limits: Limits, share: number, at: number): Step =>
      pacedStep(limits, { share, windows: at === 0 ? baseline : STEP_WINDOWS });
    return inTurn(
      fleetScenarios(inputs, (limits) => [
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
