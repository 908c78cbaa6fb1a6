// @ts-check
/** @import { ConformingClient } from '../client.ts' */

/** What every client of this file has in common. */
const conforming = /** @type {const} */ ({ warnings: [], open: null, advice: [] });

/**
 * Clients that arrange their work in other ways.
 * @type {readonly ConformingClient[]}
 */
export const works = [
  {
    ...conforming,
    id: 'as-it-should-be',
    description: 'The exemplary client of the catalogue, unchanged.',
    behaviour: {},
  },
  {
    ...conforming,
    id: 'four-tasks-always',
    description: 'The client has four tasks that share a gate, however many it is asked for.',
    behaviour: { tasks: () => 4 },
  },
  {
    ...conforming,
    id: 'twelve-tasks-always',
    description: 'The client has twelve tasks that share a gate, however many it is asked for.',
    open: {
      requirements: ['CLIENT-1', 'CLIENT-3'],
      because: 'its own requests meet the 429 on their way, where the machine is busy',
    },
    behaviour: { tasks: () => 12 },
  },
  {
    ...conforming,
    id: 'two-pages-at-a-time',
    description: 'The client reads two pages of each list at the same time; both wait at one gate.',
    open: {
      requirements: ['CLIENT-1', 'CLIENT-2', 'CLIENT-3'],
      because: 'a request of one page meets the 429 of the other, and hides its delays',
    },
    behaviour: { lists: (given) => 2 * given, tasks: (given) => 2 * given },
  },
  {
    ...conforming,
    id: 'one-at-a-time',
    description: 'All tasks send one after the other: never more than one request is under way.',
    behaviour: { atOnce: 1 },
  },
  {
    ...conforming,
    id: 'opens-one-by-one',
    description: 'After a wait the tasks go on 0.3 s after each other.',
    behaviour: { pace: (waiting) => 300 * waiting },
  },
  {
    ...conforming,
    id: 'postpones-the-call',
    description: 'A call that got 429 goes to the end of the work; everything waits at one gate.',
    behaviour: { postpones: true },
  },
  {
    ...conforming,
    id: 'gives-up-early',
    description: 'The client sends a call twice at most.',
    open: { requirements: ['CLIENT-2'], because: 'one delay shows no growth' },
    behaviour: { retries: (status, attempt) => status === 429 && attempt < 1 },
  },
  {
    ...conforming,
    id: 'gives-up-long-waits',
    description: 'The client gives a call up with an error where it would have to wait for more than 30 s.',
    needs: 'thorough',
    behaviour: { patienceMs: 30_000 },
  },
  {
    ...conforming,
    id: 'keeps-long-waits',
    description: 'The client waits as long as Retry-After asks for, however long that is.',
    needs: 'thorough',
    behaviour: {},
  },
  {
    ...conforming,
    id: 'never-retries',
    description: 'The client gives a call up after its first 429, and waits before the next one.',
    open: { requirements: ['CLIENT-2'], because: 'it never retries' },
    behaviour: { retries: () => false },
  },
  {
    ...conforming,
    id: 'patient',
    description: 'The client sends a call up to ten times.',
    behaviour: {
      retries: (status, attempt) => status === 429 && attempt < 9,
      delay: ({ attempt }) => Math.min(4000, 250 * 2 ** attempt) * (0.5 + Math.random()),
    },
  },
];
