import type { Profile } from '../model/profile.ts';
import { exceedLimit, scenarioOf, waitAndRetry } from './arithmetic.ts';

/** Beyond the limit once, then as Retry-After announces. */
export const recovery = {
  id: 'recovery',
  description: 'Exceeds the limit once, waits as long as Retry-After announces, and tries again.',
  why: 'Shows that Retry-After is accurate, so that clients that respect it recover as early as possible.',
  needs: [],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'RATE-LIMITED', 'RECOVERY', 'NO-BAN'],
  scenarios: ({ limits }) => [scenarioOf('key', [...exceedLimit(limits), ...waitAndRetry(limits)])],
} as const satisfies Profile;
