import type { ProfileId } from '../../../load/profiles/index.ts';
import { PROFILE_IDS } from '../../../load/profiles/index.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Break } from '../breaks/break.ts';
import { breaksIn } from '../breaks/break.ts';

/** A switch of both services, and the profiles that run with it. */
export interface LoadFault extends Break {
  readonly profiles: readonly ProfileId[];
}

const all = breaksIn('load').map(
  ([profiles, one]): LoadFault => ({ ...one, profiles: profiles.split(' ') as ProfileId[] }),
);

/** Every fault, in the order of the profiles. */
export const loadFaults = all.filter(({ deserved }) => deserved.verdict !== 'no fail');

/** What looks degraded and conforms: no profile may fail it. */
export const healthyVariants: readonly LoadFault[] = [
  { id: '', description: 'As it conforms', profiles: PROFILE_IDS, deserved: { verdict: 'no fail' } },
  ...all.filter(({ deserved }) => deserved.verdict === 'no fail'),
];

/** Why some runs miss a fault, by the names of the service and the fault. */
export const MISSED_AT_TIMES: Readonly<Record<string, string>> = {
  'go-load ban-as-429-hits-everybody':
    'the ban begins while the other key sends its burst, and Remaining then fits one count of two keys of one account, too',
};

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
