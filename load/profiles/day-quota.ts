import type { Profile } from '../model/profile.ts';
import { evenRow, scenario, untouched } from './arithmetic.ts';

/** Requests beyond the day's quota. */
const BEYOND = 3;

/** A whole day's quota at a rate that the minute's limit never refuses, and a little more. */
export const dayQuota: Profile = {
  id: 'day-quota',
  says: 'Uses up the quota of a whole day at nine tenths of the limit per minute, and asks for three requests more.',
  why: 'Shows that the day’s quota is granted in full and then kept, with a Retry-After that speaks of the day.',
  needs: ['a day to spend'],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'DAY'],
  scenarios({ limits }) {
    const most = limits.perDay - 1 + BEYOND;
    return [
      scenario('key', [
        { kind: 'preflight' },
        untouched,
        evenRow(limits, { share: 1, windows: Number.POSITIVE_INFINITY, most }),
      ]),
    ];
  },
};
