import type { Profile } from '../model/profile.ts';
import { exceedLimit, halfRateScenario, restForBaseline, scenarioOf } from './arithmetic.ts';

/** Two callers of one target; one of them exceeds its limit. */
export const isolation = {
  id: 'isolation',
  description:
    'Exceeds the limit with the key under test, while another caller sends at half the sustainable rate.',
  why: 'Shows that each caller has its own limit: one that is rate-limited does not slow down another.',
  needs: ['other key'],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'RATE-LIMITED', 'NEIGHBOUR'],
  scenarios: ({ limits }) => [
    scenarioOf('key', exceedLimit(limits, restForBaseline(limits))),
    halfRateScenario('other', limits),
  ],
} as const satisfies Profile;
