import type { SeamContext, Seams } from '../../seams.ts';
import { mapHeader } from './responses.ts';

/**
 * Sends each response so much later as the limiter decided for its request, with
 * the `Date` of that moment.
 * @param delays milliseconds, which the limiter sets anew for each request.
 */
export const delayingResponses = (delays: WeakMap<SeamContext, number>): Pick<Seams, 'wrapService'> => ({
  wrapService: (handle, context) => (request) => {
    delays.delete(context);
    const outcome = handle(request);
    const delayMs = delays.get(context) ?? 0;
    if (outcome.kind === 'dropped' || delayMs === 0) return outcome;
    const date = new Date(context.now() + delayMs).toUTCString();
    return { ...mapHeader(outcome, 'Date', () => date), delayMs };
  },
});
