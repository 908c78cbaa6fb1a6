// @ts-check
/** @import { FaultyClient } from '../client.ts' */

/** What every client of this file has in common: one task that gets 429 does not stop the others. */
const ungated = /** @type {const} */ ({
  breaks: ['CLIENT-3'],
  warnings: [],
  open: null,
  advice: [],
});

/**
 * Clients whose tasks do not learn of each other's 429.
 * @type {readonly FaultyClient[]}
 */
export const tasks = [
  {
    ...ungated,
    id: 'no-gate-across-tasks',
    description: 'Each task waits for itself: the other tasks send until they get 429 themselves.',
    breaks: [],
    warnings: ['CLIENT-3'],
    seenIn: 'every HTTP library measured here: a retry is part of one call',
    behaviour: { gate: (_method, _call, task) => String(task) },
  },
  {
    ...ungated,
    id: 'success-ends-the-wait',
    description:
      'All tasks wait at one gate, and a success that another task had still to get opens it before its time.',
    breaks: [],
    warnings: ['CLIENT-3'],
    seenIn: 'circuit breakers that any success closes',
    behaviour: { successOpens: true },
  },
  {
    ...ungated,
    id: 'short-delay-in-a-pool',
    description: 'With several tasks, each one sends again after a third of a second.',
    seenIn: 'worker pools that put a failed job back into the queue',
    behaviour: {
      gate: (_method, _call, task) => String(task),
      wait: ({ tasks: sharing, askedMs }, delayMs) => (sharing > 1 ? 333 : askedMs + delayMs),
    },
  },
];
