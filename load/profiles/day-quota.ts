import type { Profile } from '../model/profile.ts';
import { awaitFullQuota, pacedStep, scenarioOf } from './arithmetic.ts';

/** Requests beyond the day's quota. */
const BEYOND_QUOTA = 3;

/** A whole day's quota at a rate that never reaches the limit per minute, and a few requests more. */
export const dayQuota = {
  id: 'day-quota',
  description:
    'Exhausts the quota of a whole day at nine tenths of the limit per minute, and sends three requests more.',
  why: 'Shows that the day’s quota is granted in full and then enforced, with a Retry-After that lasts until the day ends.',
  needs: ['whole day'],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'DAY'],
  scenarios({ limits }) {
    const most = limits.perDay - 1 + BEYOND_QUOTA;
    return [
      scenarioOf('key', [
        { kind: 'preflight' },
        awaitFullQuota,
        pacedStep(limits, { share: 1, windows: Number.POSITIVE_INFINITY, most }),
      ]),
    ];
  },
} as const satisfies Profile;
