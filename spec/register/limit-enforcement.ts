import type { Statement } from './statement.ts';

/** The chapter "Limit enforcement" of the register, in the register's order. */
export const limitEnforcement = [
  {
    id: 'LIMIT-1',
    chapter: 'Limit enforcement',
    level: 'MUST',
    sentence: "A request beyond the plan's per-minute limit is rate-limited.",
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'A request that exceeds the limit gets `429 Too Many Requests`.',
    },
    judged: 'by certify',
  },
  {
    id: 'LIMIT-2',
    chapter: 'Limit enforcement',
    level: 'MUST',
    sentence: 'A client that stays below the limit never receives a 429.',
    from: {
      section: 'request-rates-by-plan',
      quote: '| Plan | Requests per minute | Requests per day |',
    },
    judged: 'by certify',
  },
  {
    id: 'LIMIT-3',
    chapter: 'Limit enforcement',
    level: 'MUST',
    sentence:
      'A request beyond the limit returns 429: no other status, no 200 with an error, and no dropped connection.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'A request that exceeds the limit gets `429 Too Many Requests`.',
    },
    judged: 'by certify',
  },
  {
    id: 'LIMIT-4',
    chapter: 'Limit enforcement',
    level: 'MUST',
    sentence: 'The window lasts a minute: the quota comes back neither early nor late.',
    from: {
      section: 'request-rates-by-plan',
      quote: '| Plan | Requests per minute | Requests per day |',
    },
    judged: 'by certify',
  },
  {
    id: 'LIMIT-5',
    chapter: 'Limit enforcement',
    level: 'MUST',
    sentence: 'One limit covers all operations of the caller (not one per route or method).',
    from: {
      section: 'errors',
      quote: '| 429 | Rate limit exceeded (see Limits) | body: not shown | all operations |',
    },
    judged: 'by certify',
  },
  {
    id: 'LIMIT-6',
    chapter: 'Limit enforcement',
    level: 'MUST',
    sentence: 'The limit holds under concurrent requests and over several connections.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'A request that exceeds the limit gets `429 Too Many Requests`.',
    },
    judged: 'by certify',
  },
  {
    id: 'LIMIT-7',
    chapter: 'Limit enforcement',
    level: 'MUST',
    sentence:
      "Callers are isolated: requests of one caller do not use another caller's quota (needs two keys of different callers).",
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Limit | The limit in force for the caller. |',
    },
    judged: 'by certify',
  },
  {
    id: 'LIMIT-8',
    chapter: 'Limit enforcement',
    level: 'MUST',
    sentence:
      'The limit follows the key, not what the client can change at will (`X-Forwarded-For`, connection).',
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Limit | The limit in force for the caller. |',
    },
    judged: 'by certify',
  },
  {
    id: 'LIMIT-9',
    chapter: 'Limit enforcement',
    level: 'MUST',
    sentence: 'The per-day limit is enforced (opt-in: a long run, or an exhausted key).',
    from: {
      section: 'request-rates-by-plan',
      quote: '| Plan | Requests per minute | Requests per day |',
    },
    judged: 'by certify',
  },
  {
    id: 'LIMIT-10',
    chapter: 'Limit enforcement',
    level: 'OBSERVE',
    sentence:
      'The algorithm (fixed window aligned or from the first request, sliding log, sliding counter, token bucket), and whether 400s and 401s count: inferred and reported.',
    from: {
      section: 'rate-limit-headers',
      quote: '| X-RateLimit-Remaining | Requests left in the current window. |',
    },
    judged: 'by certify',
  },
] as const satisfies readonly Statement[];
