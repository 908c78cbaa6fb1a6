// @ts-check
/** @import { FaultyClient } from '../client.ts' */
import { secondsOrDate } from '../core.js';

/** What every client of this file has in common: it sends before Retry-After has passed. */
const early = /** @type {const} */ ({
  breaks: ['CLIENT-1', 'CLIENT-3'],
  warnings: [],
  open: null,
  advice: [],
});

/**
 * A client that cuts long waits.
 * @param {number} seconds
 * @returns {Pick<FaultyClient, 'id' | 'description' | 'needs' | 'behaviour'>}
 */
const cappedAt = (seconds) => ({
  id: `caps-the-wait-at-${seconds}-s`,
  description: `The client never waits longer than ${seconds} s for Retry-After.`,
  needs: 'thorough',
  behaviour: {
    readRetryAfter: ({ 'retry-after': value }) => Math.min(secondsOrDate(value), 1000 * seconds),
  },
});

/**
 * Clients that do not wait as long as Retry-After asks for.
 * @type {readonly FaultyClient[]}
 */
export const waiting = [
  {
    ...early,
    id: 'ignores-retry-after',
    description: 'The client backs off exponentially and does not read Retry-After.',
    advice: ['CLIENT-5'],
    seenIn: 'tenacity and backoff (Python) and resilience4j without a function of the response; p-retry',
    behaviour: { readRetryAfter: () => 0 },
  },
  {
    ...early,
    id: 'reads-only-seconds',
    description: 'The client does not understand the date form of Retry-After.',
    seenIn: 'recipes with int(response.headers["Retry-After"]) and a fallback for what is no number',
    behaviour: { readRetryAfter: ({ 'retry-after': value }) => Number(value) * 1000 || 0 },
  },
  {
    ...early,
    id: 'reads-only-dates',
    description: 'The client does not understand Retry-After in seconds.',
    advice: ['CLIENT-5'],
    seenIn: 'parsers of dates that return an error for a number',
    behaviour: {
      readRetryAfter: ({ 'retry-after': value = '' }) => (/^\d+$/.test(value) ? 0 : secondsOrDate(value)),
    },
  },
  {
    ...early,
    id: 'reads-milliseconds',
    description: 'The client takes the seconds of Retry-After for milliseconds.',
    advice: ['CLIENT-5'],
    seenIn: 'setTimeout(retry, Number(headers["retry-after"]))',
    behaviour: { readRetryAfter: ({ 'retry-after': value }) => secondsOrDate(value) / 1000 },
  },
  {
    ...early,
    id: 'halves-the-wait',
    description: 'The client waits half of what Retry-After asks for.',
    advice: ['CLIENT-5'],
    seenIn: 'clients that try early because "the window may have opened"',
    behaviour: { readRetryAfter: ({ 'retry-after': value }) => secondsOrDate(value) / 2 },
  },
  {
    ...early,
    id: 'jitter-taken-from-the-wait',
    description:
      'The client multiplies the whole wait, Retry-After included, with a number between 0.5 and 1.',
    advice: ['CLIENT-5'],
    seenIn: 'jitter applied to the result of "the larger of Retry-After and backoff"',
    behaviour: { wait: ({ askedMs }, delayMs) => (askedMs + delayMs) * (0.5 + Math.random() / 2) },
  },
  {
    ...early,
    id: 'caps-the-wait-at-2-s',
    description: 'The client never waits longer than 2 s for Retry-After.',
    seenIn: 'resty 2 (Go), whose SetRetryMaxWaitTime is 2 s as shipped',
    behaviour: { readRetryAfter: ({ 'retry-after': value }) => Math.min(secondsOrDate(value), 2000) },
  },
  {
    ...early,
    ...cappedAt(10),
    seenIn: 'wrappers with a maximum delay of 10 s that they apply to Retry-After as well',
  },
  {
    ...early,
    ...cappedAt(30),
    seenIn: 'undici’s RetryAgent, whose maxTimeout is 30 s as shipped',
  },
  {
    ...early,
    ...cappedAt(60),
    seenIn: 'SDKs whose longest backoff of a minute is the longest wait, too',
  },
  {
    ...early,
    id: 'own-delay-instead-of-long-waits',
    description: 'The client waits its own short delay where Retry-After asks for more than a minute.',
    needs: 'thorough',
    seenIn: 'SDKs that call a Retry-After above 60 s unreasonable, and fall back to their own backoff',
    behaviour: {
      readRetryAfter: ({ 'retry-after': value }) => {
        const asked = secondsOrDate(value);
        return asked > 60_000 ? 0 : asked;
      },
    },
  },
  {
    ...early,
    id: 'first-retry-at-once',
    description:
      'The client sends again at once after the first 429 of a call, and waits from the second one on.',
    advice: ['CLIENT-5'],
    seenIn: 'loops that sleep at their end for the attempt before',
    behaviour: { wait: ({ attempt, askedMs }, delayMs) => (attempt === 0 ? 0 : askedMs + delayMs) },
  },
  {
    ...early,
    id: 'counts-from-the-request',
    description: 'The client waits Retry-After from the moment at which it sent the request.',
    advice: ['CLIENT-5'],
    seenIn: 'loops that take the time at their beginning, and sleep until it plus the wait',
    behaviour: {
      delay: ({ attempt }) => (attempt === 0 ? 0 : 400 * 2 ** attempt),
      wait: ({ askedMs, tookMs }, delayMs) => askedMs + delayMs - tookMs,
    },
  },
  {
    ...early,
    id: 'counts-whole-seconds',
    description: 'The client waits until the clock, in whole seconds, has gone on by Retry-After.',
    open: { requirements: ['CLIENT-2'], because: 'parts of a second hide how the delays grow' },
    advice: ['CLIENT-5'],
    seenIn: 'until=$(($(date +%s) + RETRY_AFTER)) in shell scripts; int(time.time())',
    behaviour: {
      delay: ({ attempt }) => (attempt === 0 ? 0 : 400 * 2 ** attempt),
      wait: ({ askedMs }, delayMs) => askedMs + delayMs - (Date.now() % 1000),
    },
  },
  {
    ...early,
    id: 'cuts-dates-to-whole-seconds',
    description: 'The client cuts the time that is left until an HTTP-date down to whole seconds.',
    advice: ['CLIENT-5'],
    seenIn: 'Duration.getSeconds() of the time between (Java); int((when - now).total_seconds()) (Python)',
    behaviour: {
      readRetryAfter: ({ 'retry-after': value }) => 1000 * Math.floor(secondsOrDate(value) / 1000),
      delay: ({ attempt }) => (attempt === 0 ? 0 : 400 * 2 ** attempt),
    },
  },
  {
    ...early,
    id: 'reads-header-names-with-case',
    description: 'The client finds Retry-After only where the name is written like that.',
    seenIn: "grep '^Retry-After:' and awk in shell scripts; headers kept in a case-sensitive map",
    behaviour: {
      readRetryAfter: (headers, names) =>
        names.includes('Retry-After') ? secondsOrDate(headers['retry-after']) : 0,
    },
  },
  {
    ...early,
    id: 'reads-dates-as-local-time',
    description: 'The client takes the HTTP-date of Retry-After for a time in its own time zone.',
    seenIn: 'SimpleDateFormat with a quoted GMT (Java); strptime without %Z, then mktime',
    behaviour: {
      readRetryAfter: ({ 'retry-after': value = '' }) => secondsOrDate(value.replace(' GMT', '')),
    },
  },
  {
    ...early,
    id: 'retries-creations-at-once',
    description: 'The client waits for lists, and sends creations again at once.',
    seenIn: 'retry settings for idempotent methods, with a loop of the program for the others',
    behaviour: { wait: ({ method, askedMs }, delayMs) => (method === 'POST' ? 0 : askedMs + delayMs) },
  },
  {
    ...early,
    id: 'goes-on-after-giving-up',
    description:
      'The client waits before each retry, and goes on with its next call at once when it gives up.',
    seenIn: 'every HTTP library that retries: after the last attempt it returns the 429 at once',
    behaviour: { wait: ({ askedMs, attempt }, delayMs) => (attempt < 5 ? askedMs + delayMs : 0) },
  },
  {
    ...early,
    id: 'goes-on-with-its-next-call',
    description: 'The client does not retry, and goes on with its next call at once.',
    open: { requirements: ['CLIENT-2'], because: 'it never retries' },
    seenIn: 'programs that log the error of a call and take the next one',
    behaviour: { retries: () => false, gate: (_method, call) => String(call) },
  },
  {
    ...early,
    id: 'goes-on-with-the-other-operation',
    description: 'The client keeps a wait for each operation, and creates while the list has to wait.',
    seenIn: 'rate-limit middleware keyed by the path or the method',
    behaviour: { gate: (method) => method, postpones: true },
  },
  {
    ...early,
    id: 'heartbeats-on',
    description: 'The client waits as asked, while a timer sends a request every 0.7 s.',
    open: { requirements: ['CLIENT-2'], because: 'the requests of the timer hide the delays of the call' },
    advice: ['CLIENT-5'],
    seenIn: 'health checks and polling beside the work, with the same key',
    behaviour: { heartbeatMs: 700 },
  },
];
