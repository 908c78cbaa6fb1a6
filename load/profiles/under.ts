import { dayAllowance } from '../../kernel/usage-ledger/day-allowance.ts';
import type { Profile } from '../model/profile.ts';
import { awaitFullQuota, pacedStep, scenarioOf } from './arithmetic.ts';

/** Two windows, so that the load continues past the end of the target's window wherever it lies. */
const WINDOWS = 2;

/** Just below the limit, for longer than a window: the load that a customer may rely on. */
export const under = {
  id: 'under',
  description: 'Sends nine tenths of the limit for two windows, evenly spaced.',
  why: 'Shows that a customer who stays below the limit never receives a 429, including where one window ends and the next starts.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX'],
  scenarios({ limits }) {
    const most = Math.max(1, dayAllowance(limits) - 1);
    return [
      scenarioOf('key', [
        { kind: 'preflight' },
        awaitFullQuota,
        pacedStep(limits, { share: 1, windows: WINDOWS, most }),
      ]),
    ];
  },
} as const satisfies Profile;
