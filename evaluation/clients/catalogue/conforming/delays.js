// @ts-check
/** @import { ConformingClient } from '../client.ts' */

/** What every client of this file has in common. */
const conforming = /** @type {const} */ ({ warnings: [], open: null, advice: [] });

const unclear = /** @type {const} */ ({
  requirements: ['CLIENT-2'],
  because: 'five delays with this jitter do not always show that they grow',
});

/**
 * Clients whose delays look unlike those of a textbook.
 * @type {readonly ConformingClient[]}
 */
export const delays = [
  {
    ...conforming,
    id: 'no-jitter',
    description: 'The client adds exactly 0.4 s, 0.8 s, 1.6 s and so on.',
    advice: ['CLIENT-5'],
    behaviour: { delay: ({ attempt }) => 400 * 2 ** attempt },
  },
  {
    ...conforming,
    id: 'full-jitter',
    description: 'The client adds a random part of 0.6 s, 1.2 s, 2.4 s and so on, down to nothing.',
    open: unclear,
    behaviour: { delay: ({ attempt }) => 600 * 2 ** attempt * Math.random() },
  },
  {
    ...conforming,
    id: 'equal-jitter',
    description: 'The client adds half of an exponential delay, and a random part of the other half.',
    behaviour: { delay: ({ attempt }) => 800 * 2 ** attempt * (0.5 + Math.random() / 2) },
  },
  {
    ...conforming,
    id: 'decorrelated-jitter',
    description: 'The client adds between 0.2 s and three times its last delay.',
    open: unclear,
    behaviour: {
      delay: ({ previousMs }) => Math.min(20_000, 200 + Math.random() * (3 * (previousMs || 200) - 200)),
    },
  },
  {
    ...conforming,
    id: 'long-jitter',
    description: 'The client adds up to 5 s of jitter to an exponential delay.',
    open: unclear,
    behaviour: { delay: ({ attempt }) => 400 * 2 ** attempt + 5000 * Math.random() },
  },
  {
    ...conforming,
    id: 'grows-by-half',
    description: 'Each delay is 1.5 times the one before, with a random part of up to half of it.',
    open: unclear,
    behaviour: { delay: ({ attempt }) => 500 * 1.5 ** attempt * (0.5 + Math.random()) },
  },
  {
    ...conforming,
    id: 'grows-by-a-tenth',
    description: 'Each delay is 1.1 times the one before, which a line explains as well.',
    open: {
      requirements: ['CLIENT-2'],
      because: 'delays with so small a factor lie on a line, too',
    },
    behaviour: { delay: ({ attempt }) => 1000 * 1.1 ** attempt },
  },
  {
    ...conforming,
    id: 'grows-threefold',
    description: 'Each delay is three times the one before.',
    behaviour: { delay: ({ attempt }) => 150 * 3 ** attempt * (0.5 + Math.random()) },
  },
  {
    ...conforming,
    id: 'slow-backoff',
    description: 'The delays begin with 4 s, so that few fit into the time that the client is watched.',
    open: { requirements: ['CLIENT-2'], because: 'few delays fit into 75 s' },
    behaviour: { delay: ({ attempt }) => 4000 * 2 ** attempt * (0.8 + 0.4 * Math.random()) },
  },
  {
    ...conforming,
    id: 'looks-for-work-every-20-s',
    description: 'The client looks for work every 20 s, and sends what has waited long enough.',
    open: {
      requirements: ['CLIENT-2'],
      because: 'the steps of its timer hide how its delays grow',
    },
    behaviour: { wait: ({ askedMs }, delayMs) => 20_000 * Math.ceil((askedMs + delayMs) / 20_000) },
  },
  {
    ...conforming,
    id: 'two-seconds-between-requests',
    description:
      'The client sends at most one request in two seconds, and adds 0.1 s, 0.2 s, 0.4 s and 0.8 s to the waits.',
    open: { requirements: ['CLIENT-2'], because: 'its own limit hides delays of less than two seconds' },
    advice: ['CLIENT-5'],
    behaviour: {
      spacingMs: 2000,
      delay: ({ attempt }) => 100 * 2 ** attempt,
      retries: (status, attempt) => status === 429 && attempt < 4,
    },
  },
  {
    ...conforming,
    id: 'capped-backoff',
    description: 'The delays double until 4 s and stay there.',
    advice: ['CLIENT-5'],
    behaviour: { delay: ({ attempt }) => Math.min(4000, 400 * 2 ** attempt) },
  },
  {
    ...conforming,
    id: 'capped-early',
    description: 'The delays double once and stay there.',
    open: { requirements: ['CLIENT-2'], because: 'two sizes of a delay are no growth, and not its opposite' },
    advice: ['CLIENT-5'],
    behaviour: { delay: ({ attempt }) => Math.min(800, 400 * 2 ** attempt) },
  },
  {
    ...conforming,
    id: 'waits-longer-than-asked',
    description: 'The client waits one and a half times what Retry-After asks for, and a second more.',
    open: { requirements: ['CLIENT-2'], because: 'the same part of each delay hides how the rest grows' },
    behaviour: { wait: ({ askedMs }, delayMs) => 1.5 * askedMs + 1000 + delayMs },
  },
  {
    ...conforming,
    id: 'larger-of-both',
    description: 'The client waits for the larger of Retry-After and its own exponential delay.',
    open: { requirements: ['CLIENT-2'], because: 'a delay within Retry-After does not show' },
    advice: ['CLIENT-5'],
    behaviour: { wait: ({ askedMs }, delayMs) => Math.max(askedMs, delayMs) },
  },
  {
    ...conforming,
    id: 'multiplies-retry-after',
    description: 'The client multiplies Retry-After by two with every 429, and adds a jitter that grows.',
    behaviour: { wait: ({ askedMs, attempt }, delayMs) => askedMs * 2 ** attempt + delayMs },
  },
];
