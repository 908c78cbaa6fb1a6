import type { Seams } from '../../seams.ts';
import { asError } from '../wrappers/responses.ts';
import type { Variant } from './variant.ts';
import { incomplete } from './variant.ts';

/** How long the service is unavailable, as a share of the window. */
const SHARE = 1 / 3;

/** Services that are unavailable for a while, where a limit that answers 503 would look the same once. */
export const outages: readonly Variant[] = [
  {
    id: 'outage-at-the-end-of-the-quota',
    topic: 'K88',
    description:
      'When a key first exceeds its limit, the service becomes unavailable for a third of a window: every request gets 503.',
    expected: incomplete(
      'The quota was exhausted, and no 429 came until it was exhausted again.',
      ['RATE-8', 'LIMIT-4', 'LIMIT-6', 'LIMIT-7', 'LIMIT-9', 'RETRY-3', 'RETRY-4'],
      'HTTP-4',
    ),
    seenIn: 'a deployment, or a restart, at a moment that looks like the end of a quota',
    ...unavailableAtTheFirst429(),
  },
];

function unavailableAtTheFirst429(): Seams {
  return {
    wrapService(handle, { now, plans }) {
      let until: number | undefined;
      return (request) => {
        const outcome = handle(request);
        if (outcome.kind !== 'response') return outcome;
        if (outcome.status === 429) until ??= now() + SHARE * plans.minuteSeconds * 1000;
        const isDown = until !== undefined && now() < until;
        return isDown ? asError(outcome, 503, 'unavailable', 'The service is unavailable.') : outcome;
      };
    },
  };
}
