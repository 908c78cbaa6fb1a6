import { dayAllowance } from '../../kernel/usage-ledger/day-usage.ts';
import type { Profile, Step } from '../model/profile.ts';
import {
  awaitFullQuota,
  awaitQuotaForBurst,
  burstStep,
  evenStep,
  exceedLimit,
  ofOneKey,
  pacedStep,
  restBeforeBurst,
  SINGLE,
  waitAndRetry,
  windowMs,
} from './arithmetic.ts';

const EACH = 5;

/**
 * Both operations a few times. It does not wait for a full quota, so that it starts at once; a key that was in use may
 * therefore be rate-limited, and only a 429 that contradicts Remaining counts against the target.
 */
export const smoke = {
  id: 'smoke',
  description: 'Requests the list five times and creates five categories, at a slow pace.',
  why: 'Shows within seconds that the target is the service, that the key belongs to the plan, and that the connection works.',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'REMAINING'],
  scenarios: ofOneKey((limits) => {
    const lists = Math.min(EACH, Math.ceil(limits.perMinute / 2));
    const creations = Math.min(EACH, Math.floor(limits.perMinute / 2));
    const paced = (requests: number, operation: 'list' | 'create'): Step =>
      evenStep('paced', requests, Math.ceil((requests * windowMs(limits)) / 120), operation);
    return [paced(lists - 1, 'list'), paced(creations, 'create')];
  }),
} as const satisfies Profile;

const WINDOWS = 3;

/**
 * A client that behaves as the specification requires: three windows of the limit, with a 429 after the first and the
 * second. Fewer where the day's quota is smaller, but always at least one 429 and one request after it. The first
 * backoff is a 60th of the window, so that jitter alone does not cost a tenth of the goodput.
 */
export const backoff = {
  id: 'backoff',
  description:
    'Sends three windows of the limit as a well-behaved client: it waits Retry-After plus an exponential backoff with full jitter.',
  why: 'Shows that a client that follows the specification gets its plan’s throughput and is not penalized.',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'CEILING', 'REMAINING', 'GOODPUT', 'NO-BAN'],
  scenarios: ofOneKey((limits) => {
    const { perMinute } = limits;
    const threeWindows = WINDOWS * perMinute + WINDOWS - 1;
    const requests = Math.max(perMinute + 2, Math.min(threeWindows, dayAllowance(limits)));
    const window = windowMs(limits);
    return [
      awaitFullQuota,
      SINGLE,
      restBeforeBurst(limits),
      {
        kind: 'polite',
        requests: requests - 2,
        backoffMs: window / 60,
        longestBackoffMs: window / 2,
      },
    ];
  }),
} as const satisfies Profile;

const BEYOND_QUOTA = 3;

export const dayQuota = {
  id: 'day-quota',
  description:
    'Exhausts the quota of a whole day at nine tenths of the limit per minute, and sends three requests more.',
  why: 'Shows that the day’s quota is granted in full and then enforced, with a Retry-After that lasts until the day ends.',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'DAY'],
  scenarios: ofOneKey((limits) => {
    const most = limits.perDay - 1 + BEYOND_QUOTA;
    return [awaitFullQuota, pacedStep(limits, { share: 1, windows: Number.POSITIVE_INFINITY, most })];
  }),
} as const satisfies Profile;

/**
 * Exactly the limit within one untouched window is the largest load that every conforming limiter accepts. Several such
 * windows in a row are not: a sliding log rate-limits some of those requests.
 */
export const atLimit = {
  id: 'at-limit',
  description:
    'Sends exactly the limit into one untouched window, with one request at a time for every 60 of the limit.',
  why: 'Shows that the plan accepts all requests it grants, including the last one, and counts each of them.',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'FLOOR', 'CEILING', 'REMAINING'],
  scenarios: ofOneKey((limits) => [
    awaitQuotaForBurst(limits),
    burstStep(limits, limits.perMinute - 1, 'gentle'),
  ]),
} as const satisfies Profile;

/** Two windows, so that the load continues past the end of the target's window wherever it lies. */
const WINDOWS_AT_LIMIT = 2;

export const under = {
  id: 'under',
  description: 'Sends nine tenths of the limit for two windows, evenly spaced.',
  why: 'Shows that a customer who stays below the limit never receives a 429, including where one window ends and the next starts.',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX'],
  scenarios: ofOneKey((limits) => {
    const most = Math.max(1, dayAllowance(limits) - 1);
    return [awaitFullQuota, pacedStep(limits, { share: 1, windows: WINDOWS_AT_LIMIT, most })];
  }),
} as const satisfies Profile;

export const overLimit = {
  id: 'over-limit',
  description: 'Sends the limit and a few requests more in one steep burst, into one untouched window.',
  why: 'Shows that concurrent requests are limited neither too early nor too late.',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'FLOOR', 'CEILING', 'RATE-LIMITED'],
  scenarios: ofOneKey(exceedLimit),
} as const satisfies Profile;

export const recovery = {
  id: 'recovery',
  description: 'Exceeds the limit once, waits as long as Retry-After announces, and tries again.',
  why: 'Shows that Retry-After is accurate, so that clients that respect it recover as early as possible.',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'RATE-LIMITED', 'RECOVERY', 'NO-BAN'],
  scenarios: ofOneKey((limits) => [...exceedLimit(limits), ...waitAndRetry(limits)]),
} as const satisfies Profile;
