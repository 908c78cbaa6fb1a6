import { limitsOf } from '../../../spec/plans.ts';
import type { Seams } from '../../seams.ts';
import { isList } from '../wrappers/responses.ts';
import type { Variant } from './variant.ts';
import { conforms } from './variant.ts';

/** A list takes as long as this many requests at the rate of the Free plan. */
const INTERVALS = 3;

/** Lists that have grown so long that a window holds few of them. */
export const slowLists: readonly Variant[] = [
  {
    id: 'long-list-over-a-slow-link',
    topic: 'K74',
    description:
      'The list is so long that the link carries one in the time of three requests, while every other response is short.',
    expected: conforms,
    seenIn: 'a list of 50,000 categories, four megabytes, over ten megabits per second',
    ...oneListAtATime(),
  },
];

/** Lists share the link: each begins when the one before it has arrived. */
function oneListAtATime(): Seams {
  return {
    wrapService(handle, { now, plans }) {
      const { minuteSeconds, perMinute } = limitsOf(plans, 'free');
      const listMs = (INTERVALS * 1000 * minuteSeconds) / perMinute;
      let freeAt = 0;
      return (request) => {
        const outcome = handle(request);
        if (outcome.kind === 'dropped' || !isList(outcome, request)) return outcome;
        freeAt = Math.max(now(), freeAt) + listMs;
        return { ...outcome, delayMs: freeAt - now() };
      };
    },
  };
}
