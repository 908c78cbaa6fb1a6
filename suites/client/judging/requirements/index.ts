import type { ClientObservable, ClientRequirement } from '../evidence.ts';
import { authenticates } from './authenticates.ts';
import { backsOff } from './backs-off.ts';
import { givesUp, spreadsRetries } from './gives-up.ts';
import { sendsNothingWhileWaiting } from './sends-nothing-while-waiting.ts';
import { waitsForRetryAfter } from './waits-for-retry-after.ts';

export const clientRequirements: readonly ClientRequirement[] = [
  waitsForRetryAfter,
  backsOff,
  sendsNothingWhileWaiting,
  authenticates,
];

export const clientObservables: readonly ClientObservable[] = [spreadsRetries, givesUp];
