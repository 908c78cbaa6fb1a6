// @ts-check
/** @import { FaultyClient } from '../client.ts' */

/** What every client of this file has in common: it keeps every MUST, and does not know when to stop. */
const persistent = /** @type {const} */ ({
  breaks: [],
  warnings: [],
  open: null,
  advice: ['CLIENT-6'],
});

/**
 * Clients that do not give up. The specification does not forbid it, so nothing fails.
 * @type {readonly FaultyClient[]}
 */
export const persistence = [
  {
    ...persistent,
    id: 'retries-for-ever',
    description: 'The client never gives up; from the sixth 429 on it adds 0.2 s.',
    seenIn: 'tenacity’s @retry without stop; loops whose shift of bits overflows after some attempts',
    behaviour: {
      retries: (status) => status === 429,
      delay: ({ attempt }) => (attempt < 6 ? 200 * 2 ** attempt * (0.5 + Math.random()) : 200),
    },
  },
  {
    ...persistent,
    id: 'retries-400',
    description: 'The client sends a creation again that got 400.',
    seenIn: 'retry conditions "every status that is not 2xx"',
    behaviour: { retries: (status, attempt) => (status === 429 || status === 400) && attempt < 5 },
  },
  {
    ...persistent,
    id: 'retries-401',
    description: 'The client sends a request again that got 401, with the same key.',
    seenIn: 'interceptors that "refresh" a credential which cannot be refreshed',
    behaviour: { retries: (status, attempt) => (status === 429 || status === 401) && attempt < 5 },
  },
];
