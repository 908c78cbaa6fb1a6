import type { ProfileId } from '../../../load/profiles/index.ts';
import { PROFILE_IDS } from '../../../load/profiles/index.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { ExpectationId } from '../../../spec/register.ts';
import type { Deserved } from '../breaks/break.ts';

/** A switch of both services, and the profiles that run with it. */
export interface LoadFault {
  /** The value of `BREAK` that both services read; empty for the service as it conforms. */
  readonly id: string;
  readonly description: string;
  readonly profiles: readonly ProfileId[];
  readonly deserved: Deserved;
  /** Why no run finds it, where none does. */
  readonly missed?: string;
  /** Why some runs miss it, by the name of the service where they do. */
  readonly sometimesMissed?: Readonly<Record<string, string>>;
}

type Row = readonly [id: string, description: string];

const deserves =
  (verdict: 'fail' | 'inconclusive') =>
  ([id, description]: Row, profile: ProfileId, ...ids: readonly ExpectationId[]): LoadFault => ({
    id,
    description,
    profiles: [profile],
    deserved: { verdict, ids },
  });

const fails = deserves('fail');

/** A conforming service or another client may look the same. */
const doubted = deserves('inconclusive');

/** A service that looks degraded and conforms: no profile may fail it. */
const conforms = (id: string, description: string, profiles: readonly ProfileId[]): LoadFault => ({
  id,
  description,
  profiles,
  deserved: { verdict: 'no fail' },
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
      'go-load':
        'the ban begins while the other key sends its burst, and Remaining then fits one count of two keys of one account, too',
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
  {
    ...fails(['creations-not-counted', 'Creations are never limited'], 'capacity', 'NO-429'),
    missed: 'no profile sends creations beyond the limit; certify does',
  },
];

/** What no profile may fail. */
export const healthyVariants: readonly LoadFault[] = [
  conforms('', 'As it conforms', PROFILE_IDS),
  conforms('always-slow', 'Every response takes 300 ms', [
    'under',
    'isolation',
    'soak',
    'spike',
    'breakpoint',
  ]),
  conforms('pauses', 'A pause of 250 ms every three seconds, as of a garbage collector', [
    'isolation',
    'soak',
    'spike',
    'breakpoint',
  ]),
  conforms('ban-temporary', 'A key that keeps sending gets 429 for a window', ['offender', 'recovery']),
];

/** How a profile is run here: limits with which it can find its faults within seconds, and what else it is given. */
interface Conditions {
  readonly limits: Limits;
  /** Keys of the fleet, the key under test included; 0 where the profile has none. */
  readonly fleet: 0 | 1 | 2 | 3;
  readonly options: readonly string[];
  /** The limit a minute of a larger plan, which the second and the third key then have. */
  readonly larger?: number;
}

/** Short windows, and a day that outlasts every run. */
const limits = (minuteSeconds: number, more: Partial<Limits> = {}): Limits => ({
  perMinute: 60,
  perDay: 1000,
  minuteSeconds,
  daySeconds: 86_400,
  ...more,
});

const alone = (minuteSeconds: number): Conditions => ({
  limits: limits(minuteSeconds),
  fleet: 0,
  options: [],
});

const OWN: Readonly<Partial<Record<ProfileId, Conditions>>> = {
  smoke: alone(4),
  // Evenly spaced requests that this machine sends a little late must not exceed the limit of a window.
  under: alone(8),
  // A burst is over within a second or two, so the window may last as long as a real one.
  'at-limit': alone(60),
  'over-limit': alone(60),
  recovery: alone(4),
  backoff: alone(4),
  // Half a window must hold enough responses of the other key to compare.
  offender: { ...alone(6), options: ['--disposable-key-env', 'PETSTORE_DISPOSABLE_KEY'] },
  // A day of at most an hour needs no permission.
  'day-quota': { ...alone(2), limits: limits(2, { perDay: 100, daySeconds: 3600 }) },
  soak: { limits: limits(6), fleet: 2, options: ['--minutes', '9'] },
  spike: { limits: limits(6), fleet: 3, options: [] },
  breakpoint: { limits: limits(6), fleet: 3, options: [] },
  capacity: { limits: limits(6), fleet: 2, options: ['--creates', '50'] },
  plans: { limits: limits(6), fleet: 0, options: [], larger: 120 },
};

/** The conditions of every profile. */
export const conditions = Object.fromEntries(PROFILE_IDS.map((id) => [id, OWN[id] ?? alone(6)])) as Readonly<
  Record<ProfileId, Conditions>
>;
