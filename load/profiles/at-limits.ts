import { dayAllowance } from '../../kernel/usage-ledger/day-usage.ts';
import type { Profile } from '../model/profile.ts';
import {
  awaitFullQuota,
  awaitQuotaForBurst,
  burstStep,
  exceedLimit,
  pacedStep,
  scenarioOf,
  waitAndRetry,
} from './arithmetic.ts';

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

/** Two windows, so that the load continues past the end of the target's window wherever it lies. */
const WINDOWS = 2;

/** Just below the limit, for longer than a window: the load that a customer may rely on. */
export const under = {
  id: 'under',
  description: 'Sends nine tenths of the limit for two windows, evenly spaced.',
  why: 'Shows that a customer who stays below the limit never receives a 429, including where one window ends and the next starts.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX'],
  scenarios({ limits }) {
    const most = Math.max(1, dayAllowance(limits) - 1);
    return [
      scenarioOf('key', [
        { kind: 'preflight' },
        awaitFullQuota,
        pacedStep(limits, { share: 1, windows: WINDOWS, most }),
      ]),
    ];
  },
} as const satisfies Profile;

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
