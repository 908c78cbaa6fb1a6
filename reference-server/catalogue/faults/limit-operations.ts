import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { accepted, isAboutTheDay } from '../wrappers/counting.ts';
import type { Applies } from '../wrappers/responses.ts';
import {
  changingHeader,
  editing,
  failing,
  isCreation,
  isRequestFor,
  onResponse,
  withoutRateLimit,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Why a run without a disposable key cannot see what a list gets beyond the limit. */
const ONE_BEYOND =
  'A run sends exactly one request beyond the limit, because a second one may cause a conforming service to ban the key. That one request is a creation, and cannot be a list as well. With a disposable key, each operation is sent beyond the limit.';

/** A 429 to a creation. */
const creationLimited: Applies = ({ status }, request) => status === 429 && isCreation(request);

const isListRequest = (request: Request): boolean => isRequestFor('GET', '/v1/categories', request);

/** A 429 to a list that is about the minute: its wait is an hour at most. */
const listLimited: Applies = ({ status, headers }, request) =>
  status === 429 &&
  isListRequest(request) &&
  headers.some(([name, value]) => name === 'Retry-After' && Number(value) <= 3600);

/** Faults of the chapters on limits that show beyond the limit, at one operation only. */
export const limitOperations: StatedFaults = {
  'creations-never-limited': {
    description: 'Creations are counted, but never get 429.',
    breaks: ['LIMIT-1'],
    seenIn: 'limiters that are enforced on GET routes only',
    ...exempting(isCreation),
  },
  'creations-limited-without-headers': {
    description: 'A 429 response to a creation has no rate-limit headers.',
    breaks: ['RATE-4'],
    seenIn: 'limiters of write operations that throw into an error handler of their own',
    ...onResponse(creationLimited, withoutRateLimit),
  },
  'creations-limited-with-one-remaining': {
    description: 'A 429 response to a creation has Remaining 1.',
    breaks: ['RATE-8'],
    seenIn: 'quotas that are reserved before the handler and given back where it does not run',
    ...changingHeader(creationLimited, 'X-RateLimit-Remaining', () => '1'),
  },
  'creations-limited-with-503': {
    description: 'A creation beyond the limit gets 503, and any other request 429.',
    warnings: ['HTTP-4'],
    undecidable: {
      requirement: 'LIMIT-3',
      because:
        'A service may be unable to store a category at that moment, before its limiter is asked, and the specification does not show when. Only the next request, a list, shows the limit. With a disposable key, creations are sent between lists that get 429.',
    },
    breaksWith: { 'disposable key': ['LIMIT-3'] },
    seenIn: 'queues of write operations that are bounded by the same limiter',
    ...failing(creationLimited, 503),
  },
  'lists-never-limited': {
    description: 'Lists are counted, but never get 429.',
    undecidable: { requirement: 'LIMIT-1', because: ONE_BEYOND },
    breaksWith: { 'disposable key': ['LIMIT-1'] },
    seenIn: 'limiters that are enforced on write operations only',
    ...exempting(isListRequest),
  },
  'lists-limited-without-retry-after': {
    description: 'A 429 response to a list has no Retry-After.',
    undecidable: { requirement: 'RETRY-1', because: ONE_BEYOND },
    breaksWith: { 'disposable key': ['RETRY-1'] },
    seenIn: 'a cache in front of read operations that limits by itself',
    ...editing(listLimited, { without: ['Retry-After'] }),
  },
  'lists-limited-without-headers': {
    description: 'A 429 response to a list has no rate-limit headers.',
    undecidable: { requirement: 'RATE-4', because: ONE_BEYOND },
    breaksWith: { 'disposable key': ['RATE-4'] },
    seenIn: 'a cache in front of read operations that limits by itself',
    ...onResponse(listLimited, withoutRateLimit),
  },
};

/** Accepts these requests beyond the limit, too; they are counted. */
function exempting(isExempt: (request: Request) => boolean): Seams {
  return {
    wrapLimiter: (limiter) => (caller, request, now) => {
      const decision = limiter(caller, request, now);
      const isAccepted = caller.authenticated && !isAboutTheDay(decision, now) && isExempt(request);
      return isAccepted ? accepted(decision, now) : decision;
    },
  };
}
