import type { LoadStatement } from './statement.ts';

/** The chapter "Load" of the register: what load runs are judged by. SENT, NO-5XX, STEADY, RECOVERS and HOLDS rest on no sentence: they are what a load test is for. */
export const load = [
  {
    id: 'SENT',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'Every planned request was sent on schedule, and the script did not fail.',
    judged: 'by load',
  },
  {
    id: 'CONTRACT',
    chapter: 'Load',
    level: 'MUST',
    sentence:
      'Every response is 200, 201 or 429, with the rate-limit headers, the Limit of the plan and the body of its operation.',
    from: { section: 'rate-limit-headers', quote: 'Every API response carries:' },
    judged: 'by load',
  },
  {
    id: 'NO-429',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'A client that stays below the limit never receives a 429.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'A request that exceeds the limit gets `429 Too Many Requests`.',
    },
    judged: 'by load',
  },
  {
    id: 'NO-5XX',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'No response is a 5xx, and every request gets a response.',
    judged: 'by load',
  },
  {
    id: 'FLOOR',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'A full quota lets through every request it promises.',
    from: { section: 'request-rates-by-plan', quote: '| Plan | Requests per minute | Requests per day |' },
    judged: 'by load',
  },
  {
    id: 'CEILING',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'The target never grants more than its plan allows (accepted plus Remaining).',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'A request that exceeds the limit gets `429 Too Many Requests`.',
    },
    judged: 'by load',
  },
  {
    id: 'RATE-LIMITED',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'A key that exceeds its limit receives at least one 429, and each 429 has a Retry-After.',
    from: {
      section: 'errors',
      quote: 'The `Retry-After` header is present on a 429 response and tells the client when to retry.',
    },
    judged: 'by load',
  },
  {
    id: 'REMAINING',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'No request is rate-limited by the minute right after a response with Remaining above zero.',
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Remaining | Requests left in the current window. |',
    },
    judged: 'by load',
  },
  {
    id: 'RECOVERY',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'A request after Retry-After is accepted.',
    from: {
      section: 'errors',
      quote: 'The `Retry-After` header is present on a 429 response and tells the client when to retry.',
    },
    judged: 'by load',
  },
  {
    id: 'GOODPUT',
    chapter: 'Load',
    level: 'MUST',
    sentence:
      'A client that waits for Retry-After gets 90 % of its limit accepted, and a response other than 429 after each wait.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'The client must back off and retry after the time given in `Retry-After`.',
    },
    judged: 'by load',
  },
  {
    id: 'NO-BAN',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'A key that waits for Retry-After is not banned.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote:
        'A client that keeps sending requests after receiving 429 may have its API key temporarily banned.',
    },
    judged: 'by load',
  },
  {
    id: 'BAN-ENDS',
    chapter: 'Load',
    level: 'MUST',
    sentence:
      'A key that kept sending after 429 is accepted again after the wait that the target announces to it.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote:
        'A client that keeps sending requests after receiving 429 may have its API key temporarily banned.',
    },
    judged: 'by load',
  },
  {
    id: 'NEIGHBOUR',
    chapter: 'Load',
    level: 'MUST',
    sentence:
      'One key’s traffic does not affect another: it gets no 429, keeps its quota, and is answered as fast as before.',
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Limit | The limit in force for the caller. |',
    },
    judged: 'by load',
  },
  {
    id: 'DAY',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'The quota of the day is accepted, and the next request is rate-limited until the day is over.',
    from: { section: 'request-rates-by-plan', quote: '| Plan | Requests per minute | Requests per day |' },
    judged: 'by load',
  },
  {
    id: 'STEADY',
    chapter: 'Load',
    level: 'MUST',
    sentence:
      'Under the same load for a long time, latency and errors do not grow, and counters do not drift.',
    judged: 'by load',
  },
  {
    id: 'RECOVERS',
    chapter: 'Load',
    level: 'MUST',
    sentence: 'After a burst of all keys within their limits, the target is about as fast as before it.',
    judged: 'by load',
  },
  {
    id: 'HOLDS',
    chapter: 'Load',
    level: 'MUST',
    sentence:
      'Up to the highest rate of the profile, the target responds without errors and about as fast as at the lowest.',
    judged: 'by load',
  },
] as const satisfies readonly LoadStatement[];
