import type { Profile } from '../model/profile.ts';
import { evenRow, fleetOf, untouched } from './arithmetic.ts';

/** What share of the steady rate each step takes. */
const SHARES = [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1];

/** How long a step lasts, in windows. */
const STEP_WINDOWS = 0.5;

/** A fleet whose rate rises in steps up to what each key may send for ever; it ends early where the target breaks. */
export const breakpoint: Profile = {
  id: 'breakpoint',
  says: 'Raises the rate of a fleet in six steps of half a window up to nine tenths of every limit, and stops where the target breaks.',
  why: 'Shows at which rate latency or errors set in, before customers find it.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX'],
  scenarios({ limits, fleet }) {
    const steps = SHARES.map((share) => evenRow(limits, { share, windows: STEP_WINDOWS }));
    return fleetOf(fleet, [{ kind: 'preflight' }, untouched, ...steps]);
  },
};
