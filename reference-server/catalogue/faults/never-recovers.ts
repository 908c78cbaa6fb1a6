import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { countingMinute } from '../wrappers/counting.ts';
import type { Fault } from './fault.ts';

/** Why RETRY-3 stays inconclusive for a key that another client may use. */
const CLIENT_THAT_KEEPS_SENDING = {
  requirement: 'RETRY-3',
  because:
    'A conforming service may start the wait anew with each request beyond the limit. If another client of the key sends every few seconds, no request is accepted there either, and each 429 announces a full window. RETRY-3 is inconclusive for it, and the run incomplete; with --exclusive-key it fails.',
} as const;

/** Faults of the chapter "Retry-After and ban": a key that is not accepted when the announced wait has passed. */
export const neverRecovers: readonly Fault[] = [
  {
    id: 'limit-never-comes-back',
    description: 'A key that was rate-limited once remains so forever; each 429 announces a full window.',
    breaks: [],
    breaksWith: { 'exclusive key': ['RETRY-3'] },
    undecidable: CLIENT_THAT_KEEPS_SENDING,
    seenIn: 'counters in Redis whose expiry was lost (INCR without EXPIRE)',
    ...stayingLimited({ windows: Number.POSITIVE_INFINITY, announces: (windowMs, now) => now + windowMs }),
  },
  {
    id: 'limit-never-comes-back-aligned',
    description:
      'A key that was rate-limited once remains so forever; each 429 announces the next full minute.',
    breaks: [],
    breaksWith: { 'exclusive key': ['RETRY-3'] },
    undecidable: CLIENT_THAT_KEEPS_SENDING,
    seenIn: 'deny lists without expiry behind a limiter aligned to the clock',
    ...stayingLimited({ windows: Number.POSITIVE_INFINITY, announces: windowEnd }),
  },
  {
    id: 'ten-minute-ban-announced-as-a-window',
    description: 'The first 429 bans the key for ten windows; each 429 announces one.',
    breaks: [],
    breaksWith: { 'exclusive key': ['RETRY-3'] },
    undecidable: CLIENT_THAT_KEEPS_SENDING,
    seenIn: 'a firewall with bans of its own behind a limiter that writes the header',
    ...stayingLimited({ windows: 10, announces: (windowMs, now) => now + windowMs }),
  },
  {
    id: 'three-minute-ban-announced-as-a-window',
    description: 'The first 429 bans the key for three windows; each 429 announces one.',
    breaks: ['RETRY-3'],
    seenIn: 'a firewall with bans of its own behind a limiter that writes the header',
    ...stayingLimited({ windows: 3, announces: (windowMs, now) => now + windowMs }),
  },
];

/** The end of the clock-aligned window that contains `now`. */
function windowEnd(windowMs: number, now: number): number {
  return Math.ceil((now + 1) / windowMs) * windowMs;
}

/** Keeps a caller rate-limited for some windows after its first 429; `announces` gives the end of the wait in each further 429. */
function stayingLimited(how: {
  readonly windows: number;
  readonly announces: (windowMs: number, now: number) => number;
}): Seams {
  return countingMinute((limiter, { plans }) => {
    const windowMs = plans.minuteSeconds * 1000;
    const limited = new Map<string, { readonly until: number; readonly decision: Decision }>();
    return {
      consume(caller, request, now) {
        const before = limited.get(caller.id);
        if (before !== undefined && now < before.until) {
          const at = how.announces(windowMs, now);
          return { ...before.decision, resetAt: at, retryAt: at };
        }
        const decision = limiter.consume(caller, request, now);
        if (!decision.allowed) limited.set(caller.id, { until: now + how.windows * windowMs, decision });
        return decision;
      },
    };
  });
}
