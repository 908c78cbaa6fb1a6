import type { Limits } from '../../../spec/plans.ts';

const LEAST_REQUEST_SECONDS = 30;

/** A target may delay a response until its window has passed, so the timeout is this much longer than a window, in seconds. */
const BEYOND_WINDOW_SECONDS = 15;

/** A little more than the journal keeps, so that the length of a slightly larger body is still exact. */
const MOST_BODY_BYTES = 5 * 1024 * 1024;

/** The bounds of one request, whatever the target does: its timeout in milliseconds, and the bytes read of a response body. */
export function requestBounds({ minuteSeconds }: Limits): {
  readonly requestMs: number;
  readonly bodyBytes: number;
} {
  return {
    requestMs: 1000 * Math.max(LEAST_REQUEST_SECONDS, minuteSeconds + BEYOND_WINDOW_SECONDS),
    bodyBytes: MOST_BODY_BYTES,
  };
}
