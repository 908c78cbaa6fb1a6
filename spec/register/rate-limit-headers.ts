import type { Statement } from './statement.ts';

/** The chapter "Rate-limit headers" of the register, in the register's order. */
export const rateLimitHeaders = [
  {
    id: 'RATE-1',
    chapter: 'Rate-limit headers',
    level: 'MUST',
    sentence:
      'Every 200 and 201 response has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, each once (a line repeated with the same value: `warn`).',
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
    sentence: 'Every 400 response has all three X-RateLimit headers.',
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
    sentence: 'Every 401 response has all three X-RateLimit headers.',
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
    sentence: 'Every 429 response has all three X-RateLimit headers.',
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
    sentence: 'Limit is a whole number and, for a known key, the per-minute or per-day limit of its plan.',
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
    sentence:
      'Remaining follows the requests of the caller: it falls with use, and by no more than was used.',
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
    sentence:
      'Remaining agrees with the limit: no 429 while Remaining is above 0, and Remaining 0 on every 429.',
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
    sentence:
      'Reset is a Unix timestamp in seconds, neither in the past nor beyond the window that Limit describes.',
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Reset | Unix timestamp at which the limit resets. |',
    },
    judged: 'by certify',
  },
] as const satisfies readonly Statement[];
