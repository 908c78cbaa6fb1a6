import type { Profile } from '../model/profile.ts';
import { neighbour, overTheLimit, scenario } from './arithmetic.ts';

/** Two callers of the same target, one of them too loud. */
export const isolation: Profile = {
  id: 'isolation',
  says: 'Goes beyond the limit with the key under test, while another caller goes on at half its rate.',
  why: 'Shows that limits are kept for each caller: the one who is refused slows nobody else down.',
  needs: ['other key'],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'RATE-LIMITED', 'NEIGHBOUR'],
  scenarios: ({ limits }) => [scenario('key', overTheLimit(limits)), neighbour('other', limits)],
};
