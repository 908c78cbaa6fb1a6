import { limitsOf } from '../../../spec/plans.ts';
import type { SeamContext, Seams } from '../../seams.ts';
import { hasStatus, mapHeader, onResponse } from '../wrappers/responses.ts';
import { bucketOf } from '../wrappers/small-bucket.ts';
import { describedWindow } from './described-window.ts';
import type { Variant } from './variant.ts';
import { conformsWithWarnings } from './variant.ts';

/** Conforming limiters behind a proxy that writes a Retry-After of two windows, and whose headers do not show when the quota is back. */
export const longWaits: readonly Variant[] = [
  {
    id: 'two-windows-under-headers-of-the-day',
    topic: 'K05',
    description: 'Retry-After is always two windows, and the headers describe the day.',
    expected: conformsWithWarnings('LIMIT-4'),
    seenIn: 'nginx with a fixed add_header Retry-After before a service that shows the quota of the day',
    ...waitingWindows(2, describedWindow.find(({ id }) => id === 'headers-describe-the-day') ?? {}),
  },
  {
    id: 'two-windows-before-a-sliding-counter',
    topic: 'K05',
    description: 'Retry-After is always two windows, and the limiter is a sliding counter.',
    expected: conformsWithWarnings('LIMIT-4'),
    seenIn: 'Cloudflare rate limiting with a fixed timeout',
    algorithm: 'sliding-counter',
    ...waitingWindows(2, {}),
  },
  {
    id: 'two-windows-after-a-small-bucket',
    topic: 'K05',
    description: 'The limiter is a token bucket of ten, and Retry-After is always two windows.',
    expected: conformsWithWarnings('LIMIT-2', 'LIMIT-4'),
    seenIn: 'nginx limit_req with burst and a fixed add_header Retry-After',
    ...waitingWindows(
      2,
      bucketOf(() => 10),
    ),
  },
  {
    id: 'a-window-after-a-small-bucket',
    topic: 'K05',
    description: 'The limiter is a token bucket of a third of the limit, and Retry-After is always a window.',
    expected: conformsWithWarnings('LIMIT-2'),
    seenIn: 'nginx limit_req with burst and a fixed add_header Retry-After',
    ...waitingWindows(
      1,
      bucketOf((limit) => Math.floor(limit / 3)),
    ),
  },
  {
    id: 'a-window-after-a-slow-bucket',
    topic: 'K05',
    description:
      'The limiter is a token bucket of five sixths of the limit before slow responses, so that it nearly reaches the limit, and Retry-After is always a window.',
    expected: conformsWithWarnings('LIMIT-2'),
    seenIn: 'nginx limit_req with burst and a fixed add_header Retry-After, before a slow database',
    ...waitingWindows(1, slowly(bucketOf((limit) => Math.floor((limit * 5) / 6)))),
  },
];

/** The same with responses that take a part of the time between two requests at the rate of the Free plan. */
function slowly(seams: Seams): Seams {
  return {
    ...seams,
    wrapService: (handle, { plans }) => {
      const intervalMs = (1000 * plans.minuteSeconds) / limitsOf(plans, 'free').perMinute;
      return (request) => ({ ...handle(request), delayMs: intervalMs / 9 });
    },
  };
}

/** The same with a Retry-After of this many windows on every 429 response. */
function waitingWindows(windows: number, seams: Seams): Seams {
  const { wrapLimiter, wrapService } = seams;
  const { wrapService: wait } = onResponse(hasStatus(429), (response, _, { plans }: SeamContext) =>
    mapHeader(response, 'Retry-After', () => String(Math.ceil(windows * plans.minuteSeconds))),
  );
  return {
    ...(wrapLimiter === undefined ? {} : { wrapLimiter }),
    wrapService: (handle, context) => {
      const inner = wrapService?.(handle, context) ?? handle;
      return wait?.(inner, context) ?? inner;
    },
  };
}
