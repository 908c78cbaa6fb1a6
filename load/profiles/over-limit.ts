import type { Profile } from '../model/profile.ts';
import { overTheLimit, scenario } from './arithmetic.ts';

/** The limit and as little beyond it as proves that it is kept. */
export const overLimit: Profile = {
  id: 'over-limit',
  says: 'Sends the limit and a few requests more in one steep burst, into one untouched window.',
  why: 'Shows that the limit is kept when many requests come at the same time, neither too early nor too late.',
  needs: [],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'FLOOR', 'CEILING', 'RATE-LIMITED'],
  scenarios: ({ limits }) => [scenario('key', overTheLimit(limits))],
};
