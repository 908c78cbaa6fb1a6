import type { Limits } from '../../spec/plans.ts';

/** A limit of a plan: how many requests a conforming limiter holds, and the window in which it gives back as many. */
export interface Quota {
  readonly limit: number;
  readonly windowMs: number;
}

export const minuteQuota = (limits: Limits): Quota => ({
  limit: limits.perMinute,
  windowMs: limits.minuteSeconds * 1000,
});

export const dayQuota = (limits: Limits): Quota => ({
  limit: limits.perDay,
  windowMs: limits.daySeconds * 1000,
});

/** The most that a limiter which gives back continuously gives back in this time, with one request for rounding. */
export function mostRefill(quota: Quota, milliseconds: number): number {
  return Math.ceil((quota.limit * Math.max(0, milliseconds)) / quota.windowMs) + 1;
}

/** A pause that is surely longer than a bucket takes to give one request back, in milliseconds. */
export const longerThanOneRefillMs = ({ limit, windowMs }: Quota): number => (1.05 * windowMs) / limit;

/** An even pace leaves this much of the limit unused, so that delays of the network cause no 429. */
const SPARE = 1.05;

/** Seconds between two requests of an even pace that no conforming limiter of the minute answers 429. */
export const paceSeconds = ({ perMinute, minuteSeconds }: Limits): number =>
  (SPARE * minuteSeconds) / perMinute;

/** A local day has up to 25 hours. */
const LONGEST_DAY = 25 / 24;

export const longestDaySeconds = ({ daySeconds }: Limits): number => daySeconds * LONGEST_DAY;
