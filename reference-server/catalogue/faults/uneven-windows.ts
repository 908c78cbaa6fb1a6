import { headerValues } from '../../service/message.ts';
import { parseNewCategory } from '../../service/new-category.ts';
import { countingMinute, limitedTo } from '../wrappers/counting.ts';
import { mapHeader, onResponse } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** By how much the windows of two instances differ, in seconds. */
const APART = 20;

/** Faults of the chapter "Rate-limit headers" about counts and windows that differ. */
export const unevenWindows: readonly Fault[] = [
  {
    id: 'a-tenth-too-many-under-a-full-remaining',
    description:
      'A tenth more than the limit is accepted, and until that is used Remaining is one less than the limit.',
    breaks: ['RATE-7'],
    seenIn: 'grace on top of a limit, with Remaining cut to what the plan permits',
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        const { limit = 0 } = caller.quotas.find(({ window }) => window === 'minute') ?? {};
        const enforced = limit + Math.ceil(limit / 10);
        const decision = limiter.consume(
          caller.authenticated ? limitedTo(enforced, caller) : caller,
          request,
          now,
        );
        if (decision.limit !== enforced) return decision;
        return { ...decision, limit, remaining: Math.min(limit - 1, decision.remaining) };
      },
    }),
  },
  {
    id: 'rejected-creations-count-twice',
    description: 'A creation that gets 400 is counted once more after its response.',
    breaks: ['RATE-7'],
    seenIn: 'error handlers through which a request passes the limiter again',
    ...countingMinute((limiter) => {
      const rejected = new Set<string>();
      return {
        consume(caller, request, now) {
          if (rejected.delete(caller.id)) limiter.consume(caller, request, now);
          const decision = limiter.consume(caller, request, now);
          const isRejected = request.method === 'POST' && !parseNewCategory(request).ok;
          if (decision.allowed && isRejected) rejected.add(caller.id);
          return decision;
        },
      };
    }),
  },
  {
    id: 'reset-of-two-instances-in-turn',
    description: 'Every other response has a Reset that is twenty seconds earlier.',
    breaks: [],
    warnings: ['RATE-9'],
    seenIn:
      'instances behind one address that share a count and begin their windows each by a clock of its own',
    wrapService(handle, context) {
      let responses = 0;
      const earlier = onResponse(
        (response) => headerValues(response, 'X-RateLimit-Reset').length > 0,
        (response) => {
          responses += 1;
          return mapHeader(response, 'X-RateLimit-Reset', (reset) =>
            String(Number(reset) - (responses % 2) * APART),
          );
        },
      );
      return earlier.wrapService?.(handle, context) ?? handle;
    },
  },
];
