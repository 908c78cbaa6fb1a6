// @ts-check
/** @import { FaultyClient } from '../client.ts' */
import { written } from '../core.js';

/** What every client of this file has in common: it waits Retry-After, and its own delays do not grow. */
const unbacked = /** @type {const} */ ({
  breaks: ['CLIENT-2'],
  warnings: [],
  open: null,
  advice: ['CLIENT-5'],
});

const notProven = /** @type {const} */ ({
  requirements: ['CLIENT-2'],
  because: 'no sample of jittered delays proves that they do not grow',
});

/**
 * Does nothing for so many milliseconds.
 * @param {number} ms
 */
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/**
 * Clients that do not back off exponentially.
 * @type {readonly FaultyClient[]}
 */
export const backoff = [
  {
    ...unbacked,
    id: 'retry-after-and-nothing-else',
    description:
      'The client waits exactly Retry-After, so it sends six requests at once after Retry-After 0.',
    seenIn:
      'curl --retry without a delay of its own; axios-retry and httpx-retries as shipped, on Retry-After 0',
    behaviour: { delay: () => 0 },
  },
  {
    ...unbacked,
    id: 'retry-after-alone-in-a-script',
    description:
      'The client waits exactly Retry-After, and takes 15 ms for each request, as a script that starts programs.',
    seenIn: 'sleep "$retry_after" and curl in shell scripts',
    behaviour: {
      delay: () => 0,
      write: ({ method, key }) => {
        pause(15);
        return written(method, { Authorization: `Bearer ${key}` });
      },
    },
  },
  {
    ...unbacked,
    id: 'constant-delay',
    description: 'The client adds the same 4 s to every wait.',
    seenIn: 'fixed delays: wait_fixed of tenacity, waitDuration of resilience4j, ConstantBackOff of cenkalti',
    behaviour: { delay: () => 4000 },
  },
  {
    ...unbacked,
    id: 'constant-delay-beside-a-limit',
    description: 'The client sends at most two requests a second, and adds the same 2.5 s to every wait.',
    seenIn: 'token buckets (p-throttle, bottleneck) around a retry with a fixed delay',
    behaviour: { spacingMs: 500, delay: () => 2500 },
  },
  {
    ...unbacked,
    id: 'linear-growth',
    description: 'The client adds 2 s, 4 s, 6 s and so on: its delays grow by the same step.',
    seenIn: 'sleep(attempt * step) in loops of the program',
    behaviour: { delay: ({ attempt }) => 2000 * (attempt + 1) },
  },
  {
    ...unbacked,
    id: 'retry-after-replaces-backoff',
    description: 'The client backs off exponentially only where Retry-After asks for nothing.',
    breaks: [],
    warnings: ['CLIENT-2'],
    seenIn: 'got, ky, undici, urllib3 and go-retryablehttp',
    behaviour: { wait: ({ askedMs }, delayMs) => (askedMs > 0 ? askedMs : delayMs) },
  },
  {
    ...unbacked,
    id: 'replaces-backoff-and-loads-code',
    description:
      'The client backs off exponentially only where Retry-After asks for nothing, and its first retry takes 0.1 s longer.',
    breaks: [],
    warnings: ['CLIENT-2'],
    seenIn: 'Failsafe and other libraries in a Java machine, which loads their classes at the first retry',
    behaviour: {
      wait: ({ askedMs, attempt }, delayMs) => (askedMs > 0 ? askedMs : delayMs) + (attempt === 0 ? 100 : 0),
    },
  },
  {
    ...unbacked,
    id: 'constant-delay-with-jitter',
    description: 'The client adds between 0.2 s and 0.6 s to every wait, however often it got 429.',
    breaks: [],
    open: notProven,
    advice: [],
    seenIn: 'wait_random of tenacity',
    behaviour: { delay: () => 200 + 400 * Math.random() },
  },
  {
    ...unbacked,
    id: 'linear-growth-with-jitter',
    description: 'The client adds a random part of 0.4 s, 0.8 s, 1.2 s and so on.',
    breaks: [],
    open: notProven,
    advice: [],
    seenIn: 'LinearJitterBackoff of go-retryablehttp',
    behaviour: { delay: ({ attempt }) => 400 * (attempt + 1) * (0.5 + Math.random()) },
  },
  {
    ...unbacked,
    id: 'linear-growth-of-two-pages',
    description:
      'The client reads two pages of each list at the same time, and adds 1 s, 2 s, 3 s and so on to their waits.',
    breaks: [],
    open: {
      requirements: ['CLIENT-1', 'CLIENT-2', 'CLIENT-3'],
      because: 'a request of one page meets the 429 of the other, and hides its delays',
    },
    advice: [],
    seenIn: 'Promise.all over the pages of a list, with sleep(attempt * step) in each',
    behaviour: {
      lists: (given) => 2 * given,
      tasks: (given) => 2 * given,
      delay: ({ attempt }) => 1000 * (attempt + 1),
    },
  },
];
