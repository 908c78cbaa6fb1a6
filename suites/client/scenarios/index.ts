import type { RequirementId } from '../../../spec/register.ts';
import type { Reply, RetryAfter, Scenario } from '../model/scenario.ts';

/** What most scenarios share: the client is given one list, once in every run, and both operations are scripted. */
const once = {
  work: { calls: 1, creates: 0, concurrency: 1 },
  operation: 'any',
  repetitions: 1,
  when: 'always',
} as const satisfies Partial<Scenario>;

/** What the specification says of a good request. */
export const served = { kind: 'served' } as const satisfies Reply;

const seconds = (count: number): RetryAfter => ({ form: 'seconds', seconds: count });

/** A 429 at once. */
const limited = (retryAfter: RetryAfter) => ({ kind: 'rate-limited', retryAfter }) as const satisfies Reply;

export const limitedFor = (count: number): Reply => limited(seconds(count));

/**
 * For so long (seconds) a 429 is held where more than one call is waiting. What a client sends at the same time, although
 * it was given one task, has arrived before the 429 is stamped, or is seen to be in flight. And a wait that is counted
 * from the request ends too early. It is no time that timeouts are usually set to: a client that gives a request up while
 * its 429 is on the way has not read it.
 */
const HELD_SECONDS = 0.37;

const held = (retryAfter: RetryAfter): Reply => ({ ...limited(retryAfter), heldSeconds: HELD_SECONDS });
const heldFor = (count: number): Reply => held(seconds(count));
const heldUntilDate = held({ form: 'date', seconds: 3 });

/** A client that works as it pleases: a new call looks like a retry, so only its waits can be judged. */
export const attachedClient = {
  ...once,
  id: 'attached',
  description:
    'A client attached by hand: two requests are served, the next gets 429 with Retry-After 2, 3 or an HTTP-date in turn.',
  decides: ['CLIENT-1', 'CLIENT-3', 'CLIENT-4'],
  script: {
    kind: 'cycle',
    replies: [served, served, heldFor(2), served, served, heldFor(3), served, served, heldUntilDate],
  },
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

/** What the three series share: six 429 responses, then 200, which are six delays of one call. */
function series(retryAfter: RetryAfter) {
  const reply = limited(retryAfter);
  return {
    ...once,
    decides: ['CLIENT-2', 'CLIENT-1'],
    script: { kind: 'sequence', replies: [reply, reply, reply, reply, reply, reply, served] },
    repetitions: 3,
    watchSeconds: 75,
  } as const satisfies Partial<Scenario>;
}

/** Series B: what the client adds to a constant Retry-After. */
export const backoffAfterSeconds: Scenario = {
  ...series(seconds(1)),
  id: 'backoff-after-seconds',
  description: 'One list gets 429 with Retry-After 1 six times.',
};

/** Series A: Retry-After 0 conforms, and leaves the delay to the client. */
export const backoffAfterZero: Scenario = {
  ...series(seconds(0)),
  id: 'backoff-after-zero',
  description: 'One list gets 429 with Retry-After 0 six times.',
};

/** Series C: without Retry-After, the one response here that does not conform. */
export const backoffWithoutHeader: Scenario = {
  ...series({ form: 'absent' }),
  id: 'backoff-without-header',
  description: 'One list gets 429 without Retry-After six times, which no conforming service sends.',
  decides: ['CLIENT-2'],
  when: 'unclear backoff',
};

export const invalidBody = {
  ...once,
  id: 'invalid-body',
  description: 'Every creation gets 400.',
  decides: ['CLIENT-6'],
  work: { calls: 0, creates: 1, concurrency: 1 },
  script: { kind: 'sequence', replies: [{ kind: 'rejected' }] },
  watchSeconds: 12,
} as const satisfies Scenario;

export const unknownKey = {
  ...once,
  id: 'unknown-key',
  description: 'Every list gets 401.',
  decides: ['CLIENT-6'],
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
  script: { kind: 'sequence', replies: [limitedFor(0)] },
  watchSeconds: 40,
} as const satisfies Scenario;

/** Further work is waiting: a client that gives its first list up goes on with it. */
const furtherWork = { calls: 2, creates: 1, concurrency: 1 } as const;

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
  work: furtherWork,
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
  work: furtherWork,
  // A date that is read as local time has passed there: east of Greenwich the client sends at once.
  timeZone: 'Asia/Tokyo',
  script: { kind: 'sequence', replies: [heldUntilDate, served] },
} as const satisfies Scenario;

/** The longest wait that is watched to its end (seconds): clients are known to cut waits at 10, 20, 30 and 60 s. */
export const LONG_SECONDS = 75;

/** What those with a long wait share. */
const longLimit = {
  ...once,
  decides: ['CLIENT-1', 'CLIENT-3'],
  work: furtherWork,
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

/** Every scenario, in the order of the preview and the reports. */
export const scenarios: readonly Scenario[] = [
  waitSeconds,
  waitCreation,
  waitDate,
  parallelTasks,
  backoffAfterSeconds,
  backoffAfterZero,
  backoffWithoutHeader,
  spreadRetries,
  invalidBody,
  unknownKey,
  limitedForEver,
  limitedForEverAfterZero,
  waitLong,
  waitHour,
  attachedClient,
  watchedClient,
];

/** Those of every complete run that decide about a requirement. */
export const scenariosOf = (id: RequirementId): readonly Scenario[] =>
  scenarios.filter(({ decides, when }) => when === 'always' && decides.some((one) => one === id));
