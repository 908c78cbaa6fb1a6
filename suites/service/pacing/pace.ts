import type { Limits } from '../../../spec/plans.ts';

/** An even pace leaves this much of the limit unused, so that delays of the network cause no 429. */
const SPARE = 1.05;

/** Seconds between two requests of an even pace that no conforming limiter of the minute answers 429. */
export const paceSeconds = ({ perMinute, minuteSeconds }: Limits): number =>
  (SPARE * minuteSeconds) / perMinute;
