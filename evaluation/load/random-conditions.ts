import type { ProfileId } from '../../load/profiles/index.ts';
import { PROFILE_IDS } from '../../load/profiles/index.ts';
import { variants } from '../../reference-server/catalogue/variants/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import { loadPlans } from '../../spec/plans.ts';
import { VIRTUAL_START } from '../simulation/service-time.ts';
import type { VirtualLoad } from './virtual-load.ts';

const DAY_MS = 86_400_000;

/** One-way delays in milliseconds, from fast links to ones too slow for any profile. */
const DELAYS_MS = [0.2, 2, 5, 20, 60, 200, 500];

/** The jitter of a link, as a multiple of its delay. */
const JITTERS = [0.1, 1, 3];

/** One message of fifty is held up for this many delays. */
const STALL = { share: 0.02, delays: 10 } as const;

/** How far the target's clock is ahead, in milliseconds. */
const CLOCKS_MS = [0, 0, 300, -300, 900, -1500, 30_000, -3_600_000];

/** Lengths of the minute, in seconds; the one of the specification twice. */
const MINUTES = [60, 60, 10, 3];

const PLANS = ['free', 'free', 'free', 'pro', 'business'];

/** The share of runs against a variant; the others run against an unchanged algorithm. */
const VARIANT_SHARE = 0.6;

/** A load run against a conforming service under random conditions. @param random from 0 up to, but not including, 1; the same numbers make the same run. */
export function randomConditions(random: () => number): VirtualLoad {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const [profile, variant] = fitting(
    one(PROFILE_IDS.filter((id) => id !== 'day-quota')),
    random() < VARIANT_SHARE ? one(variants) : undefined,
  );
  const [delayMs, jitter] = [one(DELAYS_MS), one(JITTERS)];
  const delay = (): number => delayMs * (1 + jitter * random() + (random() < STALL.share ? STALL.delays : 0));
  return {
    profile,
    algorithm: one(algorithms),
    plan: one(PLANS),
    plans: { ...loadPlans(), minuteSeconds: one(MINUTES) },
    start: VIRTUAL_START + Math.floor(random() * DAY_MS),
    clockOffset: one(CLOCKS_MS),
    network: { there: delay, back: delay },
    ...(variant === undefined ? {} : { fault: variant }),
    ...(random() < 0.2 ? { ban: { after: 5, seconds: 30 } } : {}),
  };
}

type Variant = (typeof variants)[number];

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

const fitting = (
  profile: ProfileId,
  variant: Variant | undefined,
): readonly [ProfileId, Variant | undefined] =>
  variant === undefined || mustPass(profile, variant) ? [profile, variant] : ['smoke', variant];

/** A description of a run, to repeat it. */
export const conditionsText = ({
  profile,
  algorithm,
  plan,
  plans,
  start,
  clockOffset,
  fault,
}: VirtualLoad): string =>
  [profile, nameOf(fault), algorithm, plan, `${plans?.minuteSeconds} s`, start, clockOffset].join(', ');

const nameOf = (fault: VirtualLoad['fault']): string =>
  fault !== undefined && 'id' in fault ? String(fault.id) : 'unchanged';
