import type { Profile } from '../model/profile.ts';
import { dayAllowance, evenRow, scenario, untouched } from './arithmetic.ts';

/** Two windows, so that wherever the target's window ends, the load goes on past it. */
const WINDOWS = 2;

/** Just below the limit, for longer than a window: the load that a customer may rely on. */
export const under: Profile = {
  id: 'under',
  says: 'Keeps nine tenths of the limit up for two windows, evenly spaced.',
  why: 'Shows that a customer who stays below the limit is never refused, also where one window ends and the next begins.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX'],
  scenarios({ limits }) {
    const most = Math.max(1, dayAllowance(limits) - 1);
    return [
      scenario('key', [
        { kind: 'preflight' },
        untouched,
        evenRow(limits, { share: 1, windows: WINDOWS, most }),
      ]),
    ];
  },
};
