import type { Profile } from '../model/profile.ts';
import { awaitQuotaForBurst, burstStep, scenarioOf } from './arithmetic.ts';

/**
 * Exactly the limit within one untouched window is the largest load that every
 * conforming limiter accepts. Several such windows in a row are not: a
 * sliding log rate-limits some of those requests.
 */
export const atLimit = {
  id: 'at-limit',
  description:
    'Sends exactly the limit into one untouched window, with one request at a time for every 60 of the limit.',
  why: 'Shows that the plan accepts all requests it grants, including the last one, and counts each of them.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'FLOOR', 'CEILING', 'REMAINING'],
  scenarios({ limits }) {
    return [
      scenarioOf('key', [
        { kind: 'preflight' },
        awaitQuotaForBurst(limits),
        burstStep(limits, limits.perMinute - 1, 'gentle'),
      ]),
    ];
  },
} as const satisfies Profile;
