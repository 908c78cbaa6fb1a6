import type { Limits } from '../../spec/plans.ts';
import type { Profile } from '../model/profile.ts';
import { dayAllowance, evenRow, fleetOf, steadyRate, untouched } from './arithmetic.ts';

/** How long a soak lasts where nobody says, in windows of a minute, if the day allows it. */
const USUAL_MINUTES = 10;

/** The most windows of a minute that a soak may last without using more than nine tenths of a day; at least 1. */
export const longestSoak = (limits: Limits): number =>
  Math.max(1, Math.floor((dayAllowance(limits) - 1) / steadyRate(limits)));

/** How long a soak lasts where nobody says, in windows of a minute. */
export const usualSoak = (limits: Limits): number => Math.min(USUAL_MINUTES, longestSoak(limits));

/** The load that every customer may produce, by a fleet of them, for as long as the day allows. */
export const soak: Profile = {
  id: 'soak',
  says: 'Keeps nine tenths of the limit up with every key of a fleet, for as many windows as you say.',
  why: 'Shows what a long time brings: leaks, slow growth of latency, counters that drift.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX'],
  scenarios({ limits, fleet, minutes }) {
    const most = Math.max(1, dayAllowance(limits) - 1);
    return fleetOf(fleet, [
      { kind: 'preflight' },
      untouched,
      evenRow(limits, { share: 1, windows: minutes, most }),
    ]);
  },
};
