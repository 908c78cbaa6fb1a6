import type { Statement } from './statement.ts';

/** The chapter "The client's side" of the register, in the register's order. */
export const clientSide = [
  {
    id: 'CLIENT-1',
    chapter: "The client's side",
    level: 'MUST',
    sentence:
      'After a 429 the client waits at least `Retry-After` (seconds and HTTP-date forms) before it sends again.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'The client must back off and retry after the time given in `Retry-After`.',
      rfc: 'RFC 9110 §10.2.3',
    },
    judged: 'elsewhere',
  },
  {
    id: 'CLIENT-2',
    chapter: "The client's side",
    level: 'MUST',
    sentence: 'On repeated 429s its delays grow exponentially (judged with room for jitter).',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'Exponential backoff is the required client behaviour.',
    },
    judged: 'elsewhere',
  },
  {
    id: 'CLIENT-3',
    chapter: "The client's side",
    level: 'MUST',
    sentence:
      'It does not keep sending, on any connection or operation of that key, while it is told to wait.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote:
        'A client that keeps sending requests after receiving 429 may have its API key temporarily banned.',
    },
    judged: 'elsewhere',
  },
  {
    id: 'CLIENT-4',
    chapter: "The client's side",
    level: 'MUST',
    sentence: 'It sends its key as `Authorization: Bearer`, and bodies as `application/json` without `id`.',
    from: {
      section: 'authentication',
      quote: 'an API key sent in the `Authorization` header in the form `Bearer <API_KEY>`',
    },
    judged: 'elsewhere',
  },
  {
    id: 'CLIENT-5',
    chapter: "The client's side",
    level: 'SHOULD',
    sentence: 'It spreads its retries (jitter added to `Retry-After`, never taken from it).',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'The client must back off and retry after the time given in `Retry-After`.',
    },
    judged: 'elsewhere',
  },
  {
    id: 'CLIENT-6',
    chapter: "The client's side",
    level: 'SHOULD',
    sentence: 'It gives up after a bounded number of attempts, and does not retry 400 or 401.',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'Exponential backoff is the required client behaviour.',
    },
    judged: 'elsewhere',
  },
] as const satisfies readonly Statement[];
