import type { Profile } from '../model/profile.ts';
import { overTheLimit, scenario, waitAndRetry } from './arithmetic.ts';

/** Beyond the limit once, then as Retry-After says. */
export const recovery: Profile = {
  id: 'recovery',
  says: 'Goes beyond the limit once, waits as long as Retry-After asks for, and tries again.',
  why: 'Shows that Retry-After tells the truth, so that clients that obey it come back as soon as they may.',
  needs: [],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'RATE-LIMITED', 'RECOVERY', 'NO-BAN'],
  scenarios: ({ limits }) => [scenario('key', [...overTheLimit(limits), ...waitAndRetry(limits)])],
};
