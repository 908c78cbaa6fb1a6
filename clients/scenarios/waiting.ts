import type { Scenario } from '../model/scenario.ts';
import { HELD_SECONDS, SILENT_SECONDS } from './held.ts';

const afterSeconds = (seconds: number) =>
  ({ kind: 'rate-limited', retryAfter: { form: 'seconds', seconds }, heldSeconds: HELD_SECONDS }) as const;
const served = { kind: 'served' } as const;

/** One 429 on a list, with further work waiting: a client that gives up goes on with its next call. */
export const waitSeconds = {
  id: 'wait-seconds',
  description: 'The first list gets 429 with Retry-After 3; another list and a creation are waiting.',
  decides: ['CLIENT-1', 'CLIENT-3', 'CLIENT-4'],
  work: { calls: 2, creates: 1, concurrency: 1 },
  operation: 'any',
  script: { kind: 'sequence', replies: [afterSeconds(3), served] },
  repetitions: 1,
  watchSeconds: 12,
  silentSeconds: SILENT_SECONDS,
  when: 'always',
} as const satisfies Scenario;

/** One 429 on a creation: many clients retry a GET alone. */
export const waitCreation = {
  id: 'wait-creation',
  description:
    'The first creation gets 429 with Retry-After 2; another creation is waiting. The names of all headers are in lower case, as HTTP/2 has them.',
  decides: ['CLIENT-1', 'CLIENT-3', 'CLIENT-4'],
  work: { calls: 0, creates: 2, concurrency: 1 },
  operation: 'any',
  headerNames: 'in lower case',
  script: { kind: 'sequence', replies: [afterSeconds(2), served] },
  repetitions: 1,
  watchSeconds: 12,
  silentSeconds: SILENT_SECONDS,
  when: 'always',
} as const satisfies Scenario;

/** The date form of Retry-After (RFC 9110 §10.2.3). */
export const waitDate = {
  id: 'wait-date',
  description:
    'The first list gets 429 with an HTTP-date 3 to 4 s ahead; another list and a creation are waiting. TZ is Asia/Tokyo, because an HTTP-date is in GMT wherever the client runs.',
  decides: ['CLIENT-1', 'CLIENT-3', 'CLIENT-4'],
  work: { calls: 2, creates: 1, concurrency: 1 },
  operation: 'any',
  // A date that is read as local time has passed there: east of Greenwich the client sends at once.
  timeZone: 'Asia/Tokyo',
  script: {
    kind: 'sequence',
    replies: [
      { kind: 'rate-limited', retryAfter: { form: 'date', seconds: 3 }, heldSeconds: HELD_SECONDS },
      served,
    ],
  },
  repetitions: 1,
  watchSeconds: 12,
  silentSeconds: SILENT_SECONDS,
  when: 'always',
} as const satisfies Scenario;

/** A long wait: it shows a limit of the client's own on how long it waits. */
export const waitLong = {
  id: 'wait-long',
  description: 'The first list gets 429 with Retry-After 40; another list and a creation are waiting.',
  decides: ['CLIENT-1', 'CLIENT-3'],
  work: { calls: 2, creates: 1, concurrency: 1 },
  operation: 'any',
  script: { kind: 'sequence', replies: [afterSeconds(40), served] },
  repetitions: 1,
  watchSeconds: 50,
  when: 'long',
} as const satisfies Scenario;

/** Four tasks with one key: one of them is rate-limited while the others are in flight. */
export const parallelTasks = {
  id: 'parallel-tasks',
  description:
    'Four tasks share one key: one request gets 429 with Retry-After 4, the others are answered 0.7 s later.',
  decides: ['CLIENT-3'],
  work: { calls: 12, creates: 0, concurrency: 4 },
  operation: 'any',
  script: { kind: 'one-of-several', tasks: 4, gatherSeconds: 2.5, retryAfterSeconds: 4, holdSeconds: 0.7 },
  repetitions: 1,
  watchSeconds: 15,
  silentSeconds: SILENT_SECONDS,
  when: 'always',
} as const satisfies Scenario;

/** Eight first retries, each after the same Retry-After. */
export const spreadRetries = {
  id: 'spread-retries',
  description: 'Each of eight lists gets 429 with Retry-After 1 once.',
  decides: ['CLIENT-5', 'CLIENT-1'],
  work: { calls: 8, creates: 0, concurrency: 1 },
  operation: 'any',
  script: { kind: 'cycle', replies: [afterSeconds(1), served] },
  repetitions: 1,
  watchSeconds: 40,
  when: 'always',
} as const satisfies Scenario;
