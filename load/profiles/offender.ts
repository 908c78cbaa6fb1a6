import type { Profile } from '../model/profile.ts';
import { neighbour, overTheLimit, scenario, waitAndRetry, windowMs } from './arithmetic.ts';

/** Requests that a refused client sends all the same: well beyond the handful after which services ban. */
const PERSISTENCE = 20;

/** A client that does what the specification warns of, with a key that may be lost, and a neighbour beside it. */
export const offender: Profile = {
  id: 'offender',
  says: 'Keeps sending after 429 with a sacrificial key, while the key under test goes on at half its rate.',
  why: 'Shows whether and how an offender is banned, that the ban ends, and that nobody else pays for it.',
  needs: ['disposable key'],
  banRisk: 'meant to',
  expects: ['SENT', 'NO-5XX', 'CEILING', 'RATE-LIMITED', 'NEIGHBOUR'],
  scenarios({ limits }) {
    const persist = {
      kind: 'persist',
      requests: PERSISTENCE,
      everyMs: Math.ceil(windowMs(limits) / 240),
    } as const;
    return [
      scenario('disposable', [...overTheLimit(limits), persist, ...waitAndRetry(limits)]),
      neighbour('key', limits),
    ];
  },
};
