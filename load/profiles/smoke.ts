import type { Profile, Step } from '../model/profile.ts';
import { scenarioOf, windowMs } from './arithmetic.ts';

/** Requests of each operation. */
const EACH = 5;

/**
 * Both operations a few times. It does not wait for a full quota, so that it
 * starts at once; a key that was in use may therefore be rate-limited, and only a
 * 429 that contradicts Remaining counts against the target.
 */
export const smoke = {
  id: 'smoke',
  description: 'Requests the list five times and creates five categories, at a slow pace.',
  why: 'Shows within seconds that the target is the service, that the key belongs to the plan, and that the connection works.',
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
      turn: 1,
      operation,
    });
    return [scenarioOf('key', [{ kind: 'preflight' }, paced(lists - 1, 'list'), paced(creations, 'create')])];
  },
} as const satisfies Profile;
