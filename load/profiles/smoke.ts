import type { Profile, Step } from '../model/profile.ts';
import { scenario, windowMs } from './arithmetic.ts';

/** Requests of each kind. */
const EACH = 5;

/**
 * Both operations a few times. Does not wait for an untouched limit, so that it
 * answers at once; a key that was in use may therefore be refused, and only a
 * refusal that Remaining had denied counts against the target.
 */
export const smoke: Profile = {
  id: 'smoke',
  says: 'Asks for the list five times and creates five categories, at an easy pace.',
  why: 'Shows in seconds that the target is the service, that the key is of the plan, and that the way there works.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'REMAINING'],
  scenarios({ limits }) {
    const lists = Math.min(EACH, Math.ceil(limits.perMinute / 2));
    const creations = Math.min(EACH, Math.floor(limits.perMinute / 2));
    const paced = (requests: number, operation: 'list' | 'create'): Step => ({
      kind: 'paced',
      requests,
      overMs: Math.ceil((requests * windowMs(limits)) / 120),
      operation,
    });
    return [scenario('key', [{ kind: 'preflight' }, paced(lists - 1, 'list'), paced(creations, 'create')])];
  },
};
