import type { ProfileId } from '../../load/profiles/index.ts';
import type { ExpectationId } from '../../spec/register.ts';

/** What a run against a service should say. */
export type Deserved =
  /** One of these expectations fails. */
  | { readonly kind: 'fails'; readonly by: readonly ExpectationId[] }
  /** One of these expectations is inconclusive, because a conforming service or another client may look the same. */
  | { readonly kind: 'doubted'; readonly by: readonly ExpectationId[] }
  /** No profile judges it, and why. */
  | { readonly kind: 'not judged'; readonly because: string };

/** A fault that shows only under load, and the profile that should find it. */
export interface LoadFault {
  /** The value of `BREAK` that both services read. */
  readonly id: string;
  readonly description: string;
  readonly profile: ProfileId;
  readonly deserved: Deserved;
  /** Why some runs miss it, by the name of the service where they do. */
  readonly sometimesMissed?: Readonly<Record<string, string>>;
}

type Row = readonly [id: string, description: string];

const fails = ([id, description]: Row, profile: ProfileId, ...by: readonly ExpectationId[]): LoadFault => ({
  id,
  description,
  profile,
  deserved: { kind: 'fails', by },
});

const doubted = ([id, description]: Row, profile: ProfileId, ...by: readonly ExpectationId[]): LoadFault => ({
  id,
  description,
  profile,
  deserved: { kind: 'doubted', by },
});

const notJudged = ([id, description]: Row, profile: ProfileId, because: string): LoadFault => ({
  id,
  description,
  profile,
  deserved: { kind: 'not judged', because },
});

/** Every fault, in the order of the profiles. */
export const loadFaults: readonly LoadFault[] = [
  fails(['third-creation-crashes', 'Every third creation gets 500'], 'smoke', 'NO-5XX'),
  fails(['half-in-second-window', 'Half of the limit from the second window on'], 'under', 'NO-429'),
  fails(['one-too-few', 'One request of the limit is not accepted'], 'at-limit', 'FLOOR'),
  fails(['tenth-not-counted', 'Every tenth request is not counted'], 'at-limit', 'CEILING'),
  fails(['doubled-limit', 'Twice the limit is accepted'], 'over-limit', 'CEILING'),
  fails(['one-too-many', 'One request beyond the limit is accepted'], 'over-limit', 'CEILING'),
  fails(['lost-updates', 'Concurrent requests overwrite each other’s count'], 'over-limit', 'CEILING'),
  doubted(['counted-twice-under-load', 'Requests count twice at a high rate'], 'over-limit', 'FLOOR'),
  fails(
    ['headers-missing-under-load', 'Responses lose the rate-limit headers at a high rate'],
    'over-limit',
    'CONTRACT',
  ),
  fails(
    ['pages-under-load', 'At a high rate, lists are a page of HTML with status 200'],
    'over-limit',
    'CONTRACT',
  ),
  fails(
    ['retry-after-missing-under-load', 'Every 429 of a burst lacks Retry-After'],
    'over-limit',
    'RATE-LIMITED',
  ),
  fails(
    ['not-back-after-retry-after', 'The limit comes back long after Retry-After'],
    'recovery',
    'RECOVERY',
  ),
  fails(
    ['half-quota-after-429', 'A key that got a 429 has half of its limit from then on'],
    'backoff',
    'GOODPUT',
    'REMAINING',
  ),
  fails(['banned-although-waited', 'A key that waited for Retry-After is banned'], 'backoff', 'NO-BAN'),
  fails(['ban-hits-everybody', 'A ban of one key answers 403 to all'], 'offender', 'NEIGHBOUR'),
  {
    ...fails(
      ['ban-as-429-hits-everybody', 'A ban of one key answers 429 to all, for ever'],
      'offender',
      'NEIGHBOUR',
      'BAN-ENDS',
    ),
    sometimesMissed: {
      go: 'the ban begins while the other key sends its burst, and Remaining then fits one count of two keys of one account, too',
    },
  },
  fails(
    ['neighbour-slowed-for-ever', 'After one key’s burst, others take 600 ms from then on'],
    'offender',
    'NEIGHBOUR',
  ),
  doubted(
    ['ban-without-end', 'A key that keeps sending is banned for ever, and no response announces an end'],
    'offender',
    'BAN-ENDS',
  ),
  fails(
    ['ban-outlasts-retry-after', 'A key that keeps sending is banned for ever by 403 with a Retry-After'],
    'offender',
    'BAN-ENDS',
  ),
  fails(
    ['neighbour-slowed', 'During one key’s burst and for a window after it, others take 600 ms'],
    'isolation',
    'NEIGHBOUR',
  ),
  fails(['counter-shared-by-keys', 'All keys share one counter'], 'isolation', 'NEIGHBOUR'),
  fails(['day-retry-after-missing', 'The 429 of the day lacks Retry-After'], 'day-quota', 'DAY'),
  doubted(['day-not-enforced', 'The day has no limit'], 'day-quota', 'DAY'),
  doubted(['day-too-small', 'Nine tenths of the day are accepted'], 'day-quota', 'DAY'),
  fails(['latency-grows', 'Latency grows by 50 ms in a second: a leak'], 'soak', 'STEADY'),
  fails(['errors-grow', 'A quarter gets 500 in the second half'], 'soak', 'STEADY'),
  fails(['limit-erodes', 'The limit sinks by two with each window'], 'soak', 'NO-429'),
  doubted(['counter-drift', 'Remaining rises from window to window under the same load'], 'soak', 'STEADY'),
  fails(['no-recovery-after-spike', 'After a burst, responses take 900 ms for ever'], 'spike', 'RECOVERS'),
  fails(['crashes-under-load', 'Every fifth request of a burst gets 500'], 'spike', 'NO-5XX'),
  fails(['slow-above-rate', 'Above a rate, responses take 1.2 s'], 'breakpoint', 'HOLDS'),
  fails(['hangs-above-rate', 'Above a rate, nothing is answered any more'], 'breakpoint', 'HOLDS'),
  fails(['unavailable-above-rate', 'Above a rate, requests get 503'], 'breakpoint', 'HOLDS'),
  fails(['crashes-under-load', 'Every fifth request above a rate gets 500'], 'capacity', 'NO-5XX'),
  fails(['creations-mixed-up', 'Concurrent creations get the same response'], 'capacity', 'CONTRACT'),
  doubted(['ids-repeated', 'Concurrent creations get the same id'], 'capacity', 'CONTRACT'),
  fails(
    ['plans-mixed-up', 'Every key has the limit of the smallest plan; the headers show its own'],
    'plans',
    'NEIGHBOUR',
  ),
  fails(
    ['plan-exhausts-others', 'While a key of one plan is rate-limited, keys of the others get 429, too'],
    'plans',
    'NEIGHBOUR',
  ),
  notJudged(
    ['creations-not-counted', 'Creations are never limited'],
    'capacity',
    'no profile sends creations beyond the limit; certify does',
  ),
];

/** A service that looks degraded and conforms, and the profiles that must not fail it. */
export interface HealthyVariant {
  /** The value of `BREAK`; empty for the service as it is. */
  readonly id: string;
  readonly description: string;
  readonly profiles: readonly ProfileId[] | 'all';
}

/** What no profile may fail. */
export const healthyVariants: readonly HealthyVariant[] = [
  { id: '', description: 'As it conforms', profiles: 'all' },
  {
    id: 'always-slow',
    description: 'Every response takes 300 ms',
    profiles: ['under', 'isolation', 'soak', 'spike', 'breakpoint'],
  },
  {
    id: 'pauses',
    description: 'A pause of 250 ms every three seconds, as of a garbage collector',
    profiles: ['isolation', 'soak', 'spike', 'breakpoint'],
  },
  {
    id: 'ban-temporary',
    description: 'A key that keeps sending gets 429 for a window',
    profiles: ['offender', 'recovery'],
  },
];
