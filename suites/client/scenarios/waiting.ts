import type { Scenario } from '../model/scenario.ts';
import { held, heldFor, once, served } from './parts.ts';

/** Long enough (seconds) for a circuit breaker that stays open for a minute, and for a program that looks for work once a minute. */
const SILENT_SECONDS = 70;

/** What those with one 429 and further work share. */
const oneLimit = {
  ...once,
  decides: ['CLIENT-1', 'CLIENT-3', 'CLIENT-4'],
  watchSeconds: 12,
  silentSeconds: SILENT_SECONDS,
} as const;

/** One 429 on a list, with further work waiting: a client that gives up goes on with its next call. */
export const waitSeconds = {
  ...oneLimit,
  id: 'wait-seconds',
  description: 'The first list gets 429 with Retry-After 3; another list and a creation are waiting.',
  work: { calls: 2, creates: 1, concurrency: 1 },
  script: { kind: 'sequence', replies: [heldFor(3), served] },
} as const satisfies Scenario;

/** One 429 on a creation: many clients retry a GET alone. */
export const waitCreation = {
  ...oneLimit,
  id: 'wait-creation',
  description:
    'The first creation gets 429 with Retry-After 2; another creation is waiting. The names of all headers are in lower case, as HTTP/2 has them.',
  work: { calls: 0, creates: 2, concurrency: 1 },
  headerNames: 'in lower case',
  script: { kind: 'sequence', replies: [heldFor(2), served] },
} as const satisfies Scenario;

/** The date form of Retry-After (RFC 9110 §10.2.3). */
export const waitDate = {
  ...oneLimit,
  id: 'wait-date',
  description:
    'The first list gets 429 with an HTTP-date 3 to 4 s ahead; another list and a creation are waiting. TZ is Asia/Tokyo, because an HTTP-date is in GMT wherever the client runs.',
  work: { calls: 2, creates: 1, concurrency: 1 },
  // A date that is read as local time has passed there: east of Greenwich the client sends at once.
  timeZone: 'Asia/Tokyo',
  script: { kind: 'sequence', replies: [held({ form: 'date', seconds: 3 }), served] },
} as const satisfies Scenario;

/** The longest wait that is watched to its end (seconds): clients are known to cut waits at 10, 20, 30 and 60 s. */
export const LONG_SECONDS = 75;

/** What those with a long wait share. */
const longLimit = {
  ...once,
  decides: ['CLIENT-1', 'CLIENT-3'],
  work: { calls: 2, creates: 1, concurrency: 1 },
  when: 'thorough',
} as const;

/** A long wait: it shows a limit of the client's own on how long it waits. */
export const waitLong = {
  ...longLimit,
  id: 'wait-long',
  description: `The first list gets 429 with Retry-After ${LONG_SECONDS}; another list and a creation are waiting.`,
  script: { kind: 'sequence', replies: [heldFor(LONG_SECONDS), served] },
  watchSeconds: 90,
} as const satisfies Scenario;

/** A wait that nearly every client gives up: some then fall back to a short delay of their own. */
export const waitHour = {
  ...longLimit,
  id: 'wait-hour',
  description: 'The first list gets 429 with Retry-After 3600; another list and a creation are waiting.',
  script: { kind: 'sequence', replies: [heldFor(3600), served] },
  watchSeconds: LONG_SECONDS,
} as const satisfies Scenario;

/** Four tasks with one key: one of them is rate-limited while the others are in flight. */
export const parallelTasks = {
  ...once,
  id: 'parallel-tasks',
  description:
    'Four tasks share one key: one request gets 429 with Retry-After 4, the others get their responses 0.7 s later.',
  decides: ['CLIENT-3'],
  work: { calls: 12, creates: 0, concurrency: 4 },
  script: { kind: 'one-of-several', tasks: 4, gatherSeconds: 2.5, retryAfterSeconds: 4, holdSeconds: 0.7 },
  watchSeconds: 15,
  silentSeconds: SILENT_SECONDS,
} as const satisfies Scenario;

/** Eight first retries, each after the same Retry-After. */
export const spreadRetries = {
  ...once,
  id: 'spread-retries',
  description: 'Each of eight lists gets 429 with Retry-After 1 once.',
  decides: ['CLIENT-5', 'CLIENT-1'],
  work: { calls: 8, creates: 0, concurrency: 1 },
  script: { kind: 'cycle', replies: [heldFor(1), served] },
  watchSeconds: 40,
} as const satisfies Scenario;
