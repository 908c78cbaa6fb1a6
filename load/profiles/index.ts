import { UserError } from '../../kernel/basics/errors.ts';
import { didYouMean } from '../../kernel/basics/text.ts';
import type { Profile } from '../model/profile.ts';
import { capacity, isolation, offender, plans } from './many-keys.ts';
import { atLimit, backoff, dayQuota, overLimit, recovery, smoke, under } from './one-key.ts';
import { breakpoint, soak, spike } from './over-time.ts';

const inOrder = [
  smoke,
  under,
  atLimit,
  overLimit,
  recovery,
  backoff,
  offender,
  isolation,
  dayQuota,
  soak,
  spike,
  breakpoint,
  capacity,
  plans,
] as const;

export type ProfileId = (typeof inOrder)[number]['id'];

/** Every profile, in the order in which a newcomer would run them. */
export const profiles: readonly (Profile & { readonly id: ProfileId })[] = inOrder;
export const PROFILE_IDS: readonly ProfileId[] = inOrder.map(({ id }) => id);

/** The profile of this name. @throws {UserError} when there is none. */
export function findProfile(name: string): Profile {
  const found = profiles.find(({ id }) => id === name);
  if (found !== undefined) return found;
  throw new UserError(
    `There is no profile "${name}"; the profiles are ${PROFILE_IDS.join(', ')}.${didYouMean(name, PROFILE_IDS)}`,
  );
}
