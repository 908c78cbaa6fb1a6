import type { Decision } from '../../reference-server/limiters/limiter.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { Request } from '../../reference-server/service/message.ts';
import { countingMinute, onDecision } from '../wrappers/counting.ts';
import type { Fault } from './fault.ts';

/** When the store of the counters is away, in milliseconds after the start of the service. */
const STORE_AWAY = { from: 3_600_000, until: 7_200_000 } as const;

/** A longer wait is about the day, in milliseconds. */
const LONGEST_WINDOW_MS = 3_600_000;

/** Faults of the chapter "Limit enforcement" that only a client beyond its limit sees, or a look inside. */
export const limitUnseen: readonly Fault[] = [
  {
    id: 'creations-never-refused',
    description: 'Creations are counted, and none is refused.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-1',
      because:
        'The examination sends exactly one request beyond the limit, because a second one may bring a lawful ban; that one is a list. Which operation it is cannot be both.',
    },
    seenIn: 'limiters whose refusal is bound to GET routes',
    ...neverRefusing(({ method }) => method === 'POST'),
  },
  {
    id: 'refuses-every-other-request',
    description: 'Beyond the limit only every other request is refused.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-1',
      because:
        'It takes a second request beyond the limit to see one accepted, and a client that keeps sending may be banned by a conforming service: the examination sends one.',
    },
    seenIn: 'two nodes behind a round robin of which one has no limiter',
    ...refusingEveryOther(),
  },
  {
    id: 'refusal-extends-the-block',
    description: 'Every request that is refused begins the window anew.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-4',
      because:
        'The specification allows consequences for a client that keeps sending, and does not say how long they last. The examination sends one request beyond the limit, whose Retry-After is true.',
    },
    seenIn: '@fastify/rate-limit with continueExceeding',
    ...extendingTheBlock(),
  },
  {
    id: 'open-when-store-is-away',
    description: 'While the store of the counters is away every request is accepted.',
    breaks: [],
    undecidable: {
      requirement: 'LIMIT-1',
      because:
        'No client can take the store away, so that the service conforms for as long as it is examined.',
    },
    seenIn: 'passOnStoreError of express-rate-limit, skipOnError of @fastify/rate-limit',
    ...openWhenAway(),
  },
];

const accepting = (decision: Decision, now: number): Decision => ({
  ...decision,
  allowed: true,
  retryAt: now,
});

function neverRefusing(spared: (request: Request) => boolean): Seams {
  return {
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        const decision = limiter.consume(caller, request, now);
        return caller.authenticated && spared(request) ? accepting(decision, now) : decision;
      },
    }),
  };
}

function refusingEveryOther(): Seams {
  return {
    wrapLimiter(limiter) {
      const refusals = new Map<string, number>();
      return {
        consume(caller, request, now) {
          const decision = limiter.consume(caller, request, now);
          const aboutTheDay = decision.retryAt - now > LONGEST_WINDOW_MS;
          if (decision.allowed || !caller.authenticated || aboutTheDay) return decision;
          const before = refusals.get(caller.id) ?? 0;
          refusals.set(caller.id, before + 1);
          return before % 2 === 0 ? decision : accepting(decision, now);
        },
      };
    },
  };
}

function extendingTheBlock(): Seams {
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

function openWhenAway(): Seams {
  return {
    wrapLimiter(limiter, context) {
      const started = context.now();
      const open = onDecision((decision, _, { now }) => {
        const age = now() - started;
        return age >= STORE_AWAY.from && age < STORE_AWAY.until ? accepting(decision, now()) : decision;
      });
      return open.wrapLimiter?.(limiter, context) ?? limiter;
    },
  };
}
