import type { ClientObservable, ClientRequirement } from '../evidence.ts';
import { authenticates } from './authenticates.ts';
import { backsOff } from './backs-off.ts';
import { givesUp, spreadsRetries } from './gives-up.ts';
import { sendsNothingWhileWaiting } from './sends-nothing-while-waiting.ts';
import { waitsForRetryAfter } from './waits-for-retry-after.ts';

/** Every requirement that a client is judged by, in the order of the register. */
export const clientRequirements: readonly ClientRequirement[] = [
  waitsForRetryAfter,
  backsOff,
  sendsNothingWhileWaiting,
  authenticates,
];

/** Everything that is only observed in a client. */
export const clientObservables: readonly ClientObservable[] = [spreadsRetries, givesUp];
