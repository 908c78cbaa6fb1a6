import type { Scenario } from '../model/scenario.ts';
import { held, heldFor, served } from './parts.ts';

const heldUntilDate = held({ form: 'date', seconds: 3 });

/** A client that works as it pleases: a new call looks like a retry, so only its waits can be judged. */
export const attachedClient = {
  id: 'attached',
  description:
    'A client attached by hand: two requests are served, the next gets 429 with Retry-After 2, 3 or an HTTP-date in turn.',
  decides: ['CLIENT-1', 'CLIENT-3', 'CLIENT-4'],
  work: { calls: 1, creates: 0, concurrency: 1 },
  operation: 'any',
  script: {
    kind: 'cycle',
    replies: [served, served, heldFor(2), served, served, heldFor(3), served, served, heldUntilDate],
  },
  repetitions: 1,
  watchSeconds: 24 * 3600,
  when: 'attached',
} as const satisfies Scenario;

/** A client at its own work with a service of its own: nothing is scripted, and one start stands for one key. */
export const watchedClient = {
  ...attachedClient,
  id: 'watched',
  description:
    'A client at its own work, through a proxy that changes no byte; each key is a start of its own.',
} as const satisfies Scenario;
