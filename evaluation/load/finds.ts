import type { ProfileId } from '../../load/profiles/index.ts';
import type { Variant } from '../../reference-server/catalogue/variants/variant.ts';
import type { ExpectationId } from '../../spec/register.ts';

/** The faults that each profile must find, each with the expectations that fail: these and no others. */
export const faultsFound: Readonly<
  Record<ProfileId, readonly (readonly [fault: string, ...by: ExpectationId[]])[]>
> = {
  smoke: [
    ['created-200', 'CONTRACT'],
    ['headers-missing-now-and-then', 'CONTRACT'],
    ['list-in-envelope', 'CONTRACT'],
    ['created-without-body', 'CONTRACT'],
  ],
  under: [
    ['half-the-limit', 'NO-429'],
    ['window-of-two-minutes', 'NO-429'],
    ['window-of-75-seconds', 'NO-429'],
  ],
  'at-limit': [
    ['one-too-few', 'FLOOR', 'REMAINING'],
    ['half-the-limit', 'FLOOR', 'REMAINING'],
  ],
  'over-limit': [
    ['one-too-many', 'CEILING'],
    ['one-too-few', 'FLOOR'],
    ['half-the-limit', 'FLOOR'],
    ['lists-from-a-cache', 'CEILING', 'RATE-LIMITED'],
    ['retry-after-absent', 'RATE-LIMITED'],
    ['retry-after-with-unit', 'RATE-LIMITED'],
    ['too-many-requests-503', 'NO-5XX'],
    ['too-many-requests-420', 'CONTRACT'],
    ['crashes-under-concurrency', 'NO-5XX'],
  ],
  recovery: [
    ['retry-after-half', 'RECOVERY'],
    ['retry-after-zero', 'RECOVERY'],
    ['recovers-at-twice-retry-after', 'RECOVERY'],
  ],
  backoff: [
    ['never-limited', 'CEILING'],
    ['one-too-many', 'CEILING'],
    ['a-third-too-many', 'CEILING'],
    ['lists-not-counted', 'CEILING'],
    ['remaining-one-too-high', 'REMAINING'],
    ['half-the-limit', 'REMAINING', 'GOODPUT'],
    ['retry-after-half', 'GOODPUT'],
    ['patient-client-banned', 'NO-BAN'],
  ],
  offender: [
    ['ban-for-everybody', 'NEIGHBOUR'],
    ['ban-for-ever', 'BAN-ENDS'],
    ['retry-after-absent', 'RATE-LIMITED'],
    ['too-many-requests-503', 'NO-5XX'],
  ],
  isolation: [
    ['one-counter-for-each-plan', 'NEIGHBOUR'],
    ['counters-by-network-address', 'NEIGHBOUR'],
  ],
  'day-quota': [
    ['too-many-requests-503', 'NO-5XX'],
    ['retry-after-absent', 'DAY'],
  ],
  soak: [['half-the-limit', 'NO-429']],
  spike: [
    ['crashes-under-concurrency', 'NO-5XX', 'RECOVERS'],
    ['half-the-limit', 'NO-429'],
  ],
  breakpoint: [['half-the-limit', 'NO-429']],
  capacity: [['half-the-limit', 'NO-429']],
  plans: [
    ['half-the-limit', 'FLOOR', 'NEIGHBOUR'],
    ['one-too-many', 'CEILING'],
  ],
};

/** The profiles that fail a target which cannot serve their rate. */
const JUDGES_CAPACITY: ReadonlySet<ProfileId> = new Set(['soak', 'spike', 'breakpoint', 'capacity', 'plans']);

/** Variants that answer 503, or no response. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'outage-at-the-end-of-the-quota',
  'unavailable-once-after-a-429',
  'new-connections-reset',
  'new-connections-unavailable',
]);

/**
 * Whether a conforming variant has to pass a profile. The other key of isolation must belong to another caller, and no
 * other client may use it. A target that answers one slow list after another cannot serve a rate of any load. An outage
 * is what NO-5XX looks for.
 */
export const mustPass = (profile: ProfileId, { id }: Variant): boolean =>
  !UNAVAILABLE.has(id) &&
  (profile !== 'isolation' || (id !== 'two-keys-of-one-account' && !id.startsWith('other-key-'))) &&
  (!JUDGES_CAPACITY.has(profile) || id !== 'long-list-over-a-slow-link');
