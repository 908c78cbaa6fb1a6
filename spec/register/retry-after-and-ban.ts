import type { Statement } from './statement.ts';

/** The chapter "Retry-After and ban" of the register, in the register's order. */
export const retryAfterAndBan = [
  {
    id: 'RETRY-1',
    chapter: 'Retry-After and ban',
    level: 'MUST',
    sentence: 'Every 429 response has `Retry-After`.',
    from: {
      section: 'errors',
      quote: 'The `Retry-After` header is present on a 429 response and tells the client when to retry.',
    },
    judged: 'by certify',
  },
  {
    id: 'RETRY-2',
    chapter: 'Retry-After and ban',
    level: 'MUST',
    sentence: '`Retry-After` is well formed: whole seconds or an HTTP-date (RFC 9110 §10.2.3).',
    from: {
      section: 'errors',
      quote: 'The `Retry-After` header is present on a 429 response and tells the client when to retry.',
      rfc: 'RFC 9110 §10.2.3',
    },
    judged: 'by certify',
  },
  {
    id: 'RETRY-3',
    chapter: 'Retry-After and ban',
    level: 'MUST',
    sentence: 'A request sent after `Retry-After` is not rate-limited again.',
    from: {
      section: 'errors',
      quote: 'The `Retry-After` header is present on a 429 response and tells the client when to retry.',
    },
    judged: 'by certify',
  },
  {
    id: 'RETRY-4',
    chapter: 'Retry-After and ban',
    level: 'SHOULD',
    sentence: '`Retry-After` is not rounded down.',
    from: {
      section: 'errors',
      quote: 'The `Retry-After` header is present on a 429 response and tells the client when to retry.',
      rfc: 'RFC 9110 §10.2.3',
    },
    judged: 'by certify',
  },
  {
    id: 'BAN-1',
    chapter: 'Retry-After and ban',
    level: 'MUST',
    sentence:
      'A ban of a client that keeps sending is temporary (opt-in: a disposable key; a service without bans conforms, too).',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote:
        'A client that keeps sending requests after receiving 429 may have its API key temporarily banned.',
    },
    judged: 'by certify',
  },
  {
    id: 'BAN-2',
    chapter: 'Retry-After and ban',
    level: 'MUST',
    sentence: 'A ban of one key does not affect another.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote:
        'A client that keeps sending requests after receiving 429 may have its API key temporarily banned.',
    },
    judged: 'by certify',
  },
  {
    id: 'BAN-3',
    chapter: 'Retry-After and ban',
    level: 'OBSERVE',
    sentence: 'How a ban is signalled, after how many requests it begins, and how long it lasts.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote:
        'A client that keeps sending requests after receiving 429 may have its API key temporarily banned.',
    },
    judged: 'by certify',
  },
] as const satisfies readonly Statement[];
