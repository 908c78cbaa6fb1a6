import type { Statement } from './statement.ts';

/** The chapter "The client's side" of the register, in the register's order. */
export const clientSide = [
  {
    id: 'CLIENT-1',
    chapter: "The client's side",
    level: 'MUST',
    sentence:
      'After a 429 the client waits at least for `Retry-After` (seconds or HTTP-date) before it sends again.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'The client must back off and retry after the time given in `Retry-After`.',
      rfc: 'RFC 9110 §10.2.3',
    },
    judged: 'by certify-client',
  },
  {
    id: 'CLIENT-2',
    chapter: "The client's side",
    level: 'MUST',
    sentence:
      'On repeated 429 responses the delays of the client grow exponentially (with a tolerance for jitter).',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'Exponential backoff is the required client behaviour.',
    },
    judged: 'by certify-client',
  },
  {
    id: 'CLIENT-3',
    chapter: "The client's side",
    level: 'MUST',
    sentence: 'The client sends nothing with the key while it has to wait, on any connection or operation.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote:
        'A client that keeps sending requests after receiving 429 may have its API key temporarily banned.',
    },
    judged: 'by certify-client',
  },
  {
    id: 'CLIENT-4',
    chapter: "The client's side",
    level: 'MUST',
    sentence:
      'The client sends its key as `Authorization: Bearer`, and bodies as `application/json` without `id`.',
    from: {
      section: 'authentication',
      quote: 'an API key sent in the `Authorization` header in the form `Bearer <API_KEY>`',
    },
    judged: 'by certify-client',
  },
  {
    id: 'CLIENT-5',
    chapter: "The client's side",
    level: 'OBSERVE',
    sentence: 'The client spreads its retries: it adds jitter to `Retry-After`, and never subtracts any.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'The client must back off and retry after the time given in `Retry-After`.',
    },
    judged: 'by certify-client',
  },
  {
    id: 'CLIENT-6',
    chapter: "The client's side",
    level: 'OBSERVE',
    sentence: 'The client gives up after a bounded number of attempts, and does not retry 400 or 401.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'Exponential backoff is the required client behaviour.',
    },
    judged: 'by certify-client',
  },
] as const satisfies readonly Statement[];
