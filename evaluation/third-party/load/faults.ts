import type { ProfileId } from '../../../load/profiles/index.ts';
import { PROFILE_IDS } from '../../../load/profiles/index.ts';
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
  readonly minuteSeconds?: number;
  readonly perDay?: number;
  readonly daySeconds?: number;
  /** Keys of the fleet, the key under test included; 0 where the profile has none. */
  readonly fleet?: 0 | 2 | 3;
  readonly options?: readonly string[];
  /** The limit a minute of a larger plan, which the second and the third key then have. */
  readonly larger?: number;
}

const OWN: Readonly<Partial<Record<ProfileId, Conditions>>> = {
  smoke: { minuteSeconds: 4 },
  // Evenly spaced requests that this machine sends a little late must not exceed the limit of a window.
  under: { minuteSeconds: 8 },
  // A burst is over within a second or two, so the window may last as long as a real one.
  'at-limit': { minuteSeconds: 60 },
  'over-limit': { minuteSeconds: 60 },
  recovery: { minuteSeconds: 4 },
  backoff: { minuteSeconds: 4 },
  offender: { options: ['--disposable-key-env', 'PETSTORE_DISPOSABLE_KEY'] },
  // A day of at most an hour needs no permission.
  'day-quota': { minuteSeconds: 2, perDay: 100, daySeconds: 3600 },
  soak: { fleet: 2, options: ['--minutes', '9'] },
  spike: { fleet: 3 },
  breakpoint: { fleet: 3 },
  capacity: { fleet: 2, options: ['--creates', '50'] },
  plans: { larger: 120 },
};

/** Half a window must hold enough responses of another key to compare, and a day outlasts every run. */
const USUAL = { minuteSeconds: 6, perMinute: 60, perDay: 1000, daySeconds: 86_400, fleet: 0, options: [] };

export const conditionsOf = (profile: ProfileId) => ({ ...USUAL, ...OWN[profile] });
