import type { Scenario } from '../model/scenario.ts';
import { HELD_SECONDS } from './held.ts';

/** A body that stays invalid. */
export const invalidBody = {
  id: 'invalid-body',
  description: 'Every creation gets 400.',
  decides: ['CLIENT-6'],
  work: { calls: 0, creates: 1, concurrency: 1 },
  operation: 'any',
  script: { kind: 'sequence', replies: [{ kind: 'rejected' }] },
  repetitions: 1,
  watchSeconds: 12,
  when: 'always',
} as const satisfies Scenario;

/** A key that stays unknown. */
export const unknownKey = {
  id: 'unknown-key',
  description: 'Every list gets 401.',
  decides: ['CLIENT-6'],
  work: { calls: 1, creates: 0, concurrency: 1 },
  operation: 'any',
  script: { kind: 'sequence', replies: [{ kind: 'unauthorized' }] },
  repetitions: 1,
  watchSeconds: 12,
  when: 'always',
} as const satisfies Scenario;

const limited = { kind: 'rate-limited', retryAfter: { form: 'seconds', seconds: 1 } } as const;

/** A limit that never ends, with a second to wait each time. */
export const limitedForEver = {
  id: 'limited-for-ever',
  description:
    'Every list gets 429 with Retry-After 1; a creation is waiting, which has to wait, too, when the list is given up.',
  decides: ['CLIENT-6', 'CLIENT-1'],
  work: { calls: 1, creates: 1, concurrency: 1 },
  operation: 'list',
  script: {
    kind: 'sequence',
    replies: [{ ...limited, heldSeconds: HELD_SECONDS }, limited],
  },
  repetitions: 1,
  watchSeconds: 60,
  when: 'always',
} as const satisfies Scenario;

/** A limit that never ends and states no time to wait. */
export const limitedForEverAfterZero = {
  id: 'limited-for-ever-after-zero',
  description: 'Every list gets 429 with Retry-After 0.',
  decides: ['CLIENT-6'],
  work: { calls: 1, creates: 0, concurrency: 1 },
  operation: 'any',
  script: {
    kind: 'sequence',
    replies: [{ kind: 'rate-limited', retryAfter: { form: 'seconds', seconds: 0 } }],
  },
  repetitions: 1,
  watchSeconds: 40,
  when: 'always',
} as const satisfies Scenario;
