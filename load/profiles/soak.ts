import { dayAllowance } from '../../kernel/usage-ledger/day-allowance.ts';
import type { Limits } from '../../spec/plans.ts';
import type { FleetPlan } from '../model/inputs.ts';
import type { Profile } from '../model/profile.ts';
import { awaitFullQuota, fleetScenarios, inTurn, pacedStep, sustainableRate } from './arithmetic.ts';

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

/** The load that every customer may produce, by a fleet of keys, for as long as the day's quota suffices. */
export const soak = {
  id: 'soak',
  description:
    'Sends nine tenths of the limit with every key of a fleet, for as many windows as --minutes states.',
  why: 'Shows what appears only after a long time: leaks, slowly rising latency, counters that drift.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX', 'STEADY'],
  scenarios: (inputs) =>
    inTurn(
      fleetScenarios(inputs, (limits) => {
        const most = Math.max(1, dayAllowance(limits) - 1);
        const paced = pacedStep(limits, { share: 1, windows: inputs.minutes, most });
        return [{ kind: 'preflight' }, awaitFullQuota, paced];
      }),
    ),
} as const satisfies Profile;
