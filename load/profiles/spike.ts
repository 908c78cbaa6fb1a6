import type { Profile } from '../model/profile.ts';
import { burst, evenRow, fleetOf, untouched, windowMs } from './arithmetic.ts';

/** A calm fleet, a burst of all of them at once, and calm again; never more than a key's limit, so nobody may be refused. */
export const spike: Profile = {
  id: 'spike',
  says: 'Lets a calm fleet of keys burst all at once to three fifths of their limits, and be calm again.',
  why: 'Shows how latency rises and how soon it recovers when everybody comes at the same moment, within their rights.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX'],
  scenarios({ limits, fleet }) {
    const { perMinute } = limits;
    const each = Math.floor(perMinute / 10);
    const calm = { kind: 'paced', requests: each, overMs: windowMs(limits) / 2, operation: 'list' } as const;
    const most = Math.max(0, Math.min(Math.floor((perMinute * 3) / 5), perMinute - 2 * each - 2));
    // A limit of 1 or 2 leaves no room for a burst beside the look.
    const crowd = most > 0 ? burst(limits, most, 'steep') : evenRow(limits, { share: 1, windows: 2 });
    return fleetOf(fleet, [{ kind: 'preflight' }, untouched, calm, crowd, calm]);
  },
};
