import type { Profile } from '../model/profile.ts';
import { burst, roomForBurst, scenario } from './arithmetic.ts';

/**
 * One untouched window of exactly the limit is the largest load that every
 * lawful limiter accepts; the same for several windows on end is not (a
 * sliding log refuses some of it).
 */
export const atLimit: Profile = {
  id: 'at-limit',
  says: 'Sends exactly the limit into one untouched window, in order: one request at a time for every 60 of the limit.',
  why: 'Shows that the plan grants all that it promises, to the last request.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'FLOOR', 'REMAINING'],
  scenarios({ limits }) {
    return [
      scenario('key', [
        { kind: 'preflight' },
        roomForBurst(limits),
        burst(limits, limits.perMinute - 1, 'serial'),
      ]),
    ];
  },
};
