import { dayAllowance } from '../../kernel/usage-ledger/day-allowance.ts';
import type { Profile } from '../model/profile.ts';
import { awaitFullQuota, restBeforeBurst, SINGLE, scenarioOf, windowMs } from './arithmetic.ts';

/** Windows whose limit is exhausted. */
const WINDOWS = 3;

/**
 * A client that behaves as the specification requires: three windows of the limit, with a
 * 429 after the first and the second. Fewer where the day's quota is smaller, but always at least one
 * 429 and one request after it. The first backoff is a 60th of the window, so that
 * jitter alone does not cost a tenth of the goodput.
 */
export const backoff = {
  id: 'backoff',
  description:
    'Sends three windows of the limit as a well-behaved client: it waits Retry-After plus an exponential backoff with full jitter.',
  why: 'Shows that a client that follows the specification gets its plan’s throughput and is not penalized.',
  needs: [],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'CEILING', 'REMAINING', 'GOODPUT', 'NO-BAN'],
  scenarios({ limits }) {
    const { perMinute } = limits;
    const threeWindows = WINDOWS * perMinute + WINDOWS - 1;
    const requests = Math.max(perMinute + 2, Math.min(threeWindows, dayAllowance(limits)));
    const window = windowMs(limits);
    return [
      scenarioOf('key', [
        { kind: 'preflight' },
        awaitFullQuota,
        SINGLE,
        restBeforeBurst(limits),
        {
          kind: 'polite',
          requests: requests - 2,
          backoffMs: window / 60,
          longestBackoffMs: window / 2,
        },
      ]),
    ];
  },
} as const satisfies Profile;
