import type { ProfileId } from '../../load/profiles/index.ts';
import type { Variant } from '../../reference-server/catalogue/variants/variant.ts';

/** The profiles that fail a target which cannot serve their rate. */
const JUDGES_CAPACITY: ReadonlySet<ProfileId> = new Set(['soak', 'spike', 'breakpoint', 'capacity', 'plans']);

/** Variants that answer 503, or no response. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'outage-at-the-end-of-the-quota',
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
