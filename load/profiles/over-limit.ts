import type { Profile } from '../model/profile.ts';
import { exceedLimit, scenarioOf } from './arithmetic.ts';

/** The limit, and as few requests beyond it as prove that it is enforced. */
export const overLimit = {
  id: 'over-limit',
  description: 'Sends the limit and a few requests more in one steep burst, into one untouched window.',
  why: 'Shows that concurrent requests are limited neither too early nor too late.',
  needs: [],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'FLOOR', 'CEILING', 'RATE-LIMITED'],
  scenarios: ({ limits }) => [scenarioOf('key', exceedLimit(limits))],
} as const satisfies Profile;
