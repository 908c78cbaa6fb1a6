import { variants } from '../../catalogue/index.ts';
import type { ProfileId } from '../../load/model/profile.ts';
import { PROFILE_IDS } from '../../load/model/profile.ts';
import { algorithms } from '../../reference-server/index.ts';
import { loadPlans } from '../../spec/plans.ts';
import { VIRTUAL_START } from '../simulation/virtual-clock.ts';
import type { VirtualLoad } from './virtual-load.ts';

const DAY_MS = 86_400_000;

/** Milliseconds one way, of links from a fast one to one that no profile is made for. */
const DELAYS_MS = [0.2, 2, 5, 20, 60, 200, 500];

/** How much longer than its delay a link may take, in delays. */
const JITTERS = [0.1, 1, 3];

/** One message of fifty is held up by so many delays. */
const STALL = { share: 0.02, delays: 10 } as const;

/** How far the target's clock is ahead, in milliseconds. */
const CLOCKS_MS = [0, 0, 300, -300, 900, -1500, 30_000, -3_600_000];

/** Seconds of a minute; those of the specification twice. */
const MINUTES = [60, 60, 10, 3];

const PLANS = ['free', 'free', 'free', 'pro', 'business'];

/** Of so many runs one variant is the target; else an algorithm as it is. */
const VARIANT_SHARE = 0.6;

/** A load run of a conforming service under any circumstances. @param random from 0 up to, but not including, 1; the same numbers make the same run. */
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

/** The other key of isolation is said to be another caller's. */
const fitting = (
  profile: ProfileId,
  variant: Variant | undefined,
): readonly [ProfileId, Variant | undefined] =>
  profile === 'isolation' && variant?.id === 'two-keys-of-one-account'
    ? ['smoke', variant]
    : [profile, variant];

/** A run in words, for whoever has to repeat it. */
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
  fault !== undefined && 'id' in fault ? String(fault.id) : 'as it is';
