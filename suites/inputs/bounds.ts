import type { Limits } from '../../spec/plans.ts';

/** The least time that a request is given, in seconds. */
const LEAST_REQUEST_SECONDS = 30;

/** A target may hold a request back until its window has passed; this much longer than a window is waited, in seconds. */
const BEYOND_WINDOW_SECONDS = 15;

/** A little more than the journal keeps, so that a body just beyond it is still counted whole. */
const MOST_BODY_BYTES = 5 * 1024 * 1024;

/** What one request may take and bring, whatever the target does: milliseconds, and bytes of a response body. */
export function boundsOf({ minuteSeconds }: Limits): {
  readonly requestMs: number;
  readonly bodyBytes: number;
} {
  return {
    requestMs: 1000 * Math.max(LEAST_REQUEST_SECONDS, minuteSeconds + BEYOND_WINDOW_SECONDS),
    bodyBytes: MOST_BODY_BYTES,
  };
}
