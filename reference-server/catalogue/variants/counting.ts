import { limitsOf } from '../../../spec/plans.ts';
import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { parseNewCategory } from '../../service/new-category.ts';
import { countedAs, countingMinute, uncounted } from '../wrappers/counting.ts';
import { isCreation } from '../wrappers/responses.ts';
import type { Variant } from './variant.ts';
import { conforms, incomplete, inconclusiveWithout429 } from './variant.ts';

/** The differences between the delays of three responses in a row, in milliseconds. */
const DELAY_STEP_MS = 12;

/** Conforming ways to count requests and to show the count. */
export const counting: readonly Variant[] = [
  {
    id: 'rejected-not-counted',
    topic: 'K33',
    description: 'A creation that gets 400 is not counted.',
    expected: conforms,
    seenIn: 'limiters behind validation; requestWasSuccessful of express-rate-limit',
    ...uncounted(isRejected),
  },
  {
    id: 'rejected-given-back',
    topic: 'K33',
    description: 'A creation that gets 400 is counted, and given back after its response.',
    expected: conforms,
    seenIn: 'express-rate-limit with skipFailedRequests',
    ...refunding(isRejected),
  },
  {
    id: 'answers-overtake',
    topic: 'K37',
    description: 'The responses to simultaneous requests arrive out of order.',
    expected: conforms,
    seenIn: 'every server with more than one worker',
    ...delayed((turn) => DELAY_STEP_MS * (2 - (turn % 3))),
  },
  {
    id: 'slower-than-the-rate',
    topic: 'K74',
    description: 'Responses are so slow that sequential requests never reach the limit.',
    expected: conforms,
    seenIn: 'services behind a slow database',
    ...delayed((_, intervalMs) => 1.1 * intervalMs),
  },
  {
    id: 'slower-than-the-window',
    topic: 'K74',
    description: 'Responses are so slow that the limit is never reached within one window.',
    expected: incomplete(
      'The limit is not reached, so nothing shows what happens beyond it.',
      inconclusiveWithout429,
    ),
    seenIn: 'services that time out behind a gateway and respond later',
    ...delayed((_, intervalMs) => 10 * intervalMs),
  },
  {
    id: 'two-keys-of-one-account',
    topic: 'K72',
    description: 'All keys of a plan belong to one caller and share one limit.',
    expected: conforms,
    seenIn: 'GitHub, where the tokens of one account share a limit',
    testedWith: 'no second key',
    ...countedAs(({ id }) => id.replace(/-\d+$/, '')),
  },
];

/** Whether a request will get 400: an invalid creation. */
function isRejected(request: Request): boolean {
  return isCreation(request) && !parseNewCategory(request).ok;
}

/** Counts these requests and refunds them after their responses, until the window ends. */
function refunding(isRefunded: (request: Request) => boolean): Seams {
  return countingMinute((limiter) => {
    const refunds = new Map<string, { readonly until: number; readonly requests: number }>();
    return {
      consume(caller, request, now) {
        const current = refunds.get(caller.id);
        const requests = current !== undefined && now < current.until ? current.requests : 0;
        const quotas = caller.quotas.map((quota) => ({ ...quota, limit: quota.limit + requests }));
        const decision = limiter.consume({ ...caller, quotas }, request, now);
        if (decision.allowed && isRefunded(request)) {
          refunds.set(caller.id, { until: decision.resetAt, requests: requests + 1 });
        }
        const limit = decision.limit - requests;
        // A refund may expire before the request that it was for.
        const remaining = Math.max(0, Math.min(limit, decision.remaining));
        return { ...decision, limit, remaining };
      },
    };
  });
}

/** Delays responses, by their number and by the time between requests at the rate of the Free plan, in milliseconds. */
function delayed(delayMs: (turn: number, intervalMs: number) => number): Seams {
  return {
    wrapService(handle, { plans }) {
      const intervalMs = (1000 * plans.minuteSeconds) / limitsOf(plans, 'free').perMinute;
      let turn = 0;
      return (request) => {
        turn += 1;
        return { ...handle(request), delayMs: delayMs(turn, intervalMs) };
      };
    },
  };
}
