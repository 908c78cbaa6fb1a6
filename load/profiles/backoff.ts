import type { Profile } from '../model/profile.ts';
import { dayAllowance, scenario, untouched, windowMs } from './arithmetic.ts';

/** Windows whose limit is used up. */
const WINDOWS = 3;

/**
 * A client as the specification demands it. Three windows of the limit with a
 * refusal after the first and the second; fewer where the day allows no more,
 * but always one refusal and one request after it. The first backoff is a 60th of the window, so that the
 * jitter alone does not cost a tenth of the goodput.
 */
export const backoff: Profile = {
  id: 'backoff',
  says: 'Works through three windows of the limit as a polite client: Retry-After, plus exponential backoff with full jitter.',
  why: 'Shows that a client that behaves as the specification demands gets its plan’s worth through and is not punished.',
  needs: [],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'CEILING', 'REMAINING', 'GOODPUT', 'NO-BAN'],
  scenarios({ limits }) {
    const { perMinute } = limits;
    const whole = WINDOWS * perMinute + WINDOWS - 1;
    const requests = Math.max(perMinute + 2, Math.min(whole, dayAllowance(limits)));
    const window = windowMs(limits);
    return [
      scenario('key', [
        { kind: 'preflight' },
        untouched,
        {
          kind: 'polite',
          requests: requests - 1,
          backoffMs: window / 60,
          longestBackoffMs: window / 2,
        },
      ]),
    ];
  },
};
