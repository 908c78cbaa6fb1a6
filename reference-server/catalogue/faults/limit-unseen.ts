import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { countingMinute, onDecision } from '../wrappers/counting.ts';
import type { Fault } from './fault.ts';

/** When the store of the counters is unavailable, in milliseconds after the start of the service. */
const STORE_OUTAGE = { from: 3_600_000, until: 7_200_000 } as const;

/** A longer wait, in milliseconds, is about the day. */
const LONGEST_WINDOW_MS = 3_600_000;

/** Faults of the chapter "Limit enforcement": not visible to a client that stays within its limit. */
export const limitUnseen: readonly Fault[] = [
  {
    id: 'limits-every-other-request',
    description: 'Beyond the limit, only every second request gets 429.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-1',
      because:
        'Only a second request beyond the limit would be accepted, and a conforming service may ban a client that keeps sending. A run sends one. With a disposable key it sends more.',
    },
    breaksWith: { 'disposable key': ['LIMIT-1'] },
    seenIn: 'two nodes behind a round robin, one of them without a limiter',
    ...limitingEveryOther(),
  },
  {
    id: 'rate-limited-requests-restart-window',
    description: 'Every request beyond the limit restarts the window.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-4',
      because:
        'The specification allows consequences for a client that keeps sending, and does not say how long they last. A run sends one request beyond the limit, and its Retry-After is correct. With a disposable key the longer wait shows, and is one of these consequences.',
    },
    seenIn: '@fastify/rate-limit with continueExceeding',
    ...extendingTheWait(),
  },
  {
    id: 'open-during-store-outage',
    description: 'Every request is accepted while the store of the counters is unavailable.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-1',
      because:
        'No client can make the store unavailable, so the service conforms throughout a run, whatever its options.',
    },
    seenIn: 'passOnStoreError of express-rate-limit, skipOnError of @fastify/rate-limit',
    ...openDuringOutage(),
  },
];

const accepted = (decision: Decision, now: number): Decision => ({
  ...decision,
  allowed: true,
  retryAt: now,
});

function limitingEveryOther(): Seams {
  return {
    wrapLimiter(limiter) {
      const rateLimited = new Map<string, number>();
      return {
        consume(caller, request, now) {
          const decision = limiter.consume(caller, request, now);
          const aboutTheDay = decision.retryAt - now > LONGEST_WINDOW_MS;
          if (decision.allowed || !caller.authenticated || aboutTheDay) return decision;
          const before = rateLimited.get(caller.id) ?? 0;
          rateLimited.set(caller.id, before + 1);
          return before % 2 === 0 ? decision : accepted(decision, now);
        },
      };
    },
  };
}

function extendingTheWait(): Seams {
  return countingMinute((limiter) => {
    const blocks = new Map<string, Decision>();
    return {
      consume(caller, request, now) {
        const block = blocks.get(caller.id);
        if (block === undefined || now >= block.retryAt) {
          const decision = limiter.consume(caller, request, now);
          if (!decision.allowed) blocks.set(caller.id, decision);
          return decision;
        }
        const until = now + (caller.quotas[0]?.windowMs ?? 0);
        const longer = { ...block, resetAt: until, retryAt: until };
        blocks.set(caller.id, longer);
        return longer;
      },
    };
  });
}

function openDuringOutage(): Seams {
  return {
    wrapLimiter(limiter, context) {
      const started = context.now();
      const open = onDecision((decision, _, { now }) => {
        const age = now() - started;
        return age >= STORE_OUTAGE.from && age < STORE_OUTAGE.until ? accepted(decision, now()) : decision;
      });
      return open.wrapLimiter?.(limiter, context) ?? limiter;
    },
  };
}
