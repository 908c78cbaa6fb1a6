import type { Quota } from '../../limiters/algorithm.ts';
import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { countingMinute } from '../wrappers/counting.ts';
import type { Fault } from './fault.ts';

/** The share of a window that its count outlives. */
const COUNT_LIVES = 9 / 10;

/** Faults of the chapter "Limit enforcement" that show only to requests around the end of a window. */
export const windowEnds: readonly Fault[] = [
  {
    id: 'window-extended-by-each-request',
    description: 'Each accepted request begins the window anew, so it never ends while requests come.',
    breaks: [],
    breaksWith: { thorough: ['LIMIT-4'] },
    undecidable: {
      requirement: 'LIMIT-4',
      because:
        'It shows only to a client that goes on into the next window: the requests of the first window end with a 429, after which any client waits. A run without --thorough sends one request more.',
    },
    seenIn:
      'pyeve/eve#767, limits#28 (fixed-window-elastic-expiry), INCR followed by EXPIRE for every request',
    ...extendingWindows(),
  },
  {
    id: 'count-dropped-late-in-the-window',
    description: 'The count of a window is lost in its last tenth; the window ends when announced.',
    breaks: [],
    breaksWith: { thorough: ['RATE-7'] },
    undecidable: {
      requirement: 'RATE-7',
      because:
        'It shows only to a client that uses the last tenth of a window. A run without --thorough exhausts the quota early, and then has to wait.',
    },
    seenIn: 'a time to live of the counter that is shorter than the window (Southclaws/swirl#2)',
    ...droppingLate(),
  },
];

/** The count of one window, and when it ends; milliseconds since the Unix epoch. */
interface OpenWindow {
  readonly count: number;
  /** Whether a part of the count was lost. */
  readonly lost: boolean;
  readonly end: number;
}

/** Counts in windows; `at` is the open window that a request finds, `after` the one that it leaves where it is accepted. */
function countingInWindows(
  at: (window: OpenWindow | undefined, quota: Quota, now: number) => OpenWindow,
  after: (window: OpenWindow, quota: Quota, now: number) => OpenWindow,
): Seams {
  return countingMinute(() => {
    const windows = new Map<string, OpenWindow>();
    return {
      consume({ id, quotas: [quota] }, _request, now): Decision {
        if (quota === undefined) return { allowed: true, limit: 0, remaining: 0, resetAt: now, retryAt: now };
        const found = at(windows.get(id), quota, now);
        const allowed = found.count < quota.limit;
        const window = allowed ? after({ ...found, count: found.count + 1 }, quota, now) : found;
        windows.set(id, window);
        return {
          allowed,
          limit: quota.limit,
          remaining: quota.limit - window.count,
          resetAt: window.end,
          retryAt: allowed ? now : window.end,
        };
      },
    };
  });
}

function openAt(window: OpenWindow | undefined, { windowMs }: Quota, now: number): OpenWindow {
  return window !== undefined && now < window.end ? window : { count: 0, lost: false, end: now + windowMs };
}

function extendingWindows(): Seams {
  return countingInWindows(openAt, (window, { windowMs }, now) => ({ ...window, end: now + windowMs }));
}

function droppingLate(): Seams {
  return countingInWindows(
    (window, quota, now) => {
      const open = openAt(window, quota, now);
      const isLate = open.count > 0 && open.end - now <= (1 - COUNT_LIVES) * quota.windowMs;
      return isLate && !open.lost ? { ...open, count: 0, lost: true } : open;
    },
    (window) => window,
  );
}
