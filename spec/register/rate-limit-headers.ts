import type { Statement } from './statement.ts';

/** The chapter "Rate-limit headers" of the register, in the register's order. */
export const rateLimitHeaders = [
  {
    id: 'RATE-1',
    chapter: 'Rate-limit headers',
    level: 'MUST',
    sentence:
      '200 and 201 carry `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, each once (a line repeated with the same value: `warn`).',
    from: {
      section: 'rate-limit-headers',
      quote: 'Every API response carries:',
    },
    judged: 'by certify',
  },
  {
    id: 'RATE-2',
    chapter: 'Rate-limit headers',
    level: 'MUST',
    sentence: '400 carries the three.',
    from: {
      section: 'rate-limit-headers',
      quote: 'Every API response carries:',
    },
    judged: 'by certify',
  },
  {
    id: 'RATE-3',
    chapter: 'Rate-limit headers',
    level: 'MUST',
    sentence: '401 carries the three.',
    from: {
      section: 'rate-limit-headers',
      quote: 'Every API response carries:',
    },
    judged: 'by certify',
  },
  {
    id: 'RATE-4',
    chapter: 'Rate-limit headers',
    level: 'MUST',
    sentence: '429 carries the three.',
    from: {
      section: 'rate-limit-headers',
      quote: 'Every API response carries:',
    },
    judged: 'by certify',
  },
  {
    id: 'RATE-5',
    chapter: 'Rate-limit headers',
    level: 'MUST',
    sentence: 'Limit is a whole number and, for a known key, the per-minute or per-day number of its plan.',
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Limit | The limit in force for the caller. |',
    },
    judged: 'by certify',
  },
  {
    id: 'RATE-6',
    chapter: 'Rate-limit headers',
    level: 'MUST',
    sentence: 'Remaining is a whole number between 0 and Limit.',
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Remaining | Requests left in the current window. |',
    },
    judged: 'by certify',
  },
  {
    id: 'RATE-7',
    chapter: 'Rate-limit headers',
    level: 'MUST',
    sentence: 'Remaining accounts for the requests made: it falls with use, by no more than was used.',
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Remaining | Requests left in the current window. |',
    },
    judged: 'by certify',
  },
  {
    id: 'RATE-8',
    chapter: 'Rate-limit headers',
    level: 'MUST',
    sentence: 'Remaining keeps its promise: no 429 while it still promises a request, and 0 on a 429.',
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Remaining | Requests left in the current window. |',
    },
    judged: 'by certify',
  },
  {
    id: 'RATE-9',
    chapter: 'Rate-limit headers',
    level: 'MUST',
    sentence: 'Reset is a Unix timestamp in seconds, neither past nor beyond the window that it describes.',
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Reset | Unix timestamp at which the limit resets. |',
    },
    judged: 'by certify',
  },
] as const satisfies readonly Statement[];
