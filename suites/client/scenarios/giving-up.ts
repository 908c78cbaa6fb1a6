import type { Scenario } from '../model/scenario.ts';
import { heldFor, limitedFor, once } from './parts.ts';

/** A body that stays invalid. */
export const invalidBody = {
  ...once,
  id: 'invalid-body',
  description: 'Every creation gets 400.',
  decides: ['CLIENT-6'],
  work: { calls: 0, creates: 1, concurrency: 1 },
  script: { kind: 'sequence', replies: [{ kind: 'rejected' }] },
  watchSeconds: 12,
} as const satisfies Scenario;

/** A key that stays unknown. */
export const unknownKey = {
  ...once,
  id: 'unknown-key',
  description: 'Every list gets 401.',
  decides: ['CLIENT-6'],
  work: { calls: 1, creates: 0, concurrency: 1 },
  script: { kind: 'sequence', replies: [{ kind: 'unauthorized' }] },
  watchSeconds: 12,
} as const satisfies Scenario;

/** A limit that never ends, with a second to wait each time. */
export const limitedForEver = {
  ...once,
  id: 'limited-for-ever',
  description:
    'Every list gets 429 with Retry-After 1. A creation follows when the client gives up the list, and has to wait, too.',
  decides: ['CLIENT-6', 'CLIENT-1'],
  work: { calls: 1, creates: 1, concurrency: 1 },
  operation: 'list',
  script: { kind: 'sequence', replies: [heldFor(1), limitedFor(1)] },
  watchSeconds: 60,
} as const satisfies Scenario;

/** A limit that never ends and states no time to wait. */
export const limitedForEverAfterZero = {
  ...once,
  id: 'limited-for-ever-after-zero',
  description: 'Every list gets 429 with Retry-After 0.',
  decides: ['CLIENT-6'],
  work: { calls: 1, creates: 0, concurrency: 1 },
  script: { kind: 'sequence', replies: [limitedFor(0)] },
  watchSeconds: 40,
} as const satisfies Scenario;
