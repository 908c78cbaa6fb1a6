import { nearest } from '../../words/nearest.ts';
import { UserError } from '../../words/user-error.ts';
import type { Need, Profile, ProfileInputs } from '../model/profile.ts';
import { dayAllowance } from './arithmetic.ts';
import { atLimit } from './at-limit.ts';
import { backoff } from './backoff.ts';
import { breakpoint } from './breakpoint.ts';
import { dayQuota } from './day-quota.ts';
import { isolation } from './isolation.ts';
import { offender } from './offender.ts';
import { overLimit } from './over-limit.ts';
import { recovery } from './recovery.ts';
import { requestsOf } from './requests.ts';
import { smoke } from './smoke.ts';
import { soak } from './soak.ts';
import { spike } from './spike.ts';
import { under } from './under.ts';

/** No profile has the name that was given; the message lists those there are. */
export class UnknownProfileError extends UserError {
  override readonly name = 'UnknownProfileError';
}

/** Every profile, in the order of `PROFILE_IDS`. */
export const profiles: readonly Profile[] = [
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
];

/** The profile of this name. @throws {UnknownProfileError} when there is none. */
export function findProfile(name: string): Profile {
  const found = profiles.find(({ id }) => id === name);
  if (found !== undefined) return found;
  const names = profiles.map(({ id }) => id);
  const likely = nearest(name, names);
  const hint = likely === undefined ? '' : ` Did you mean "${likely}"?`;
  throw new UnknownProfileError(`There is no profile "${name}"; there are ${names.join(', ')}.${hint}`);
}

/**
 * What a profile needs under these means: what it always does, and a day to spend where a key of it would
 * use more than nine tenths of the day, as under a plan whose day is hardly longer than its minute.
 */
export function needsOf(profile: Profile, inputs: ProfileInputs): readonly Need[] {
  const most = Math.max(...profile.scenarios(inputs).map(requestsOf));
  const spends = most > dayAllowance(inputs.limits);
  return spends && !profile.needs.includes('a day to spend')
    ? [...profile.needs, 'a day to spend']
    : profile.needs;
}
