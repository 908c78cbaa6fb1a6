import type { Reply, RetryAfter, Scenario } from '../model/scenario.ts';
import { limited, served } from './parts.ts';

/** Six 429 responses, then 200: six delays of one call. */
const six = (retryAfter: RetryAfter): readonly [Reply, ...Reply[]] => {
  const reply = limited(retryAfter);
  return [reply, reply, reply, reply, reply, reply, served];
};

/** What the three series share: one call, three repetitions, 75 s. */
const series = {
  decides: ['CLIENT-2', 'CLIENT-1'],
  work: { calls: 1, creates: 0, concurrency: 1 },
  operation: 'any',
  repetitions: 3,
  watchSeconds: 75,
} as const;

/** Series B: what the client adds to a constant Retry-After. */
export const backoffAfterSeconds = {
  ...series,
  id: 'backoff-after-seconds',
  description: 'One list gets 429 with Retry-After 1 six times.',
  script: { kind: 'sequence', replies: six({ form: 'seconds', seconds: 1 }) },
  when: 'always',
} as const satisfies Scenario;

/** Series A: Retry-After 0 conforms, and leaves the delay to the client. */
export const backoffAfterZero = {
  ...series,
  id: 'backoff-after-zero',
  description: 'One list gets 429 with Retry-After 0 six times.',
  script: { kind: 'sequence', replies: six({ form: 'seconds', seconds: 0 }) },
  when: 'always',
} as const satisfies Scenario;

/** Series C: without Retry-After, the one response here that does not conform. */
export const backoffWithoutHeader = {
  ...series,
  decides: ['CLIENT-2'],
  id: 'backoff-without-header',
  description: 'One list gets 429 without Retry-After six times, which no conforming service sends.',
  script: { kind: 'sequence', replies: six({ form: 'absent' }) },
  when: 'unclear backoff',
} as const satisfies Scenario;
