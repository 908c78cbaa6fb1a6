import type { Statement } from './statement.ts';

/** The chapter "Media and HTTP" of the register, in the register's order. */
export const mediaAndHttp = [
  {
    id: 'MEDIA-1',
    chapter: 'Media and HTTP',
    level: 'MUST',
    sentence:
      'Every documented response with a body (200, 201, 400, 401) is `application/json` (parameters allowed) and parses as JSON.',
    from: {
      section: 'endpoints',
      quote: 'All requests and responses that carry a body use `application/json`.',
    },
    judged: 'by certify',
  },
  {
    id: 'MEDIA-2',
    chapter: 'Media and HTTP',
    level: 'SHOULD',
    sentence:
      'If a 429 response has a body, it is JSON (the specification requires JSON for every body, but does not show the body of a 429).',
    from: {
      section: 'endpoints',
      quote: 'All requests and responses that carry a body use `application/json`.',
    },
    judged: 'by certify',
  },
  {
    id: 'MEDIA-3',
    chapter: 'Media and HTTP',
    level: 'SHOULD',
    sentence: 'A request body sent as `application/json; charset=utf-8` is accepted.',
    from: {
      section: 'endpoints',
      quote: 'All requests and responses that carry a body use `application/json`.',
      rfc: 'RFC 8259 §11',
    },
    judged: 'by certify',
  },
  {
    id: 'HTTP-1',
    chapter: 'Media and HTTP',
    level: 'SHOULD',
    sentence: 'Every 401 response has `WWW-Authenticate` (RFC 9110 §11.6.1).',
    from: {
      section: 'authentication',
      quote: 'When the key is missing or invalid, the service answers 401 with an Error body.',
      rfc: 'RFC 9110 §11.6.1',
    },
    judged: 'by certify',
  },
  {
    id: 'HTTP-2',
    chapter: 'Media and HTTP',
    level: 'SHOULD',
    sentence: 'Every response has `Date` (RFC 9110 §6.6.1).',
    from: {
      section: 'what-the-service-does',
      quote: 'The service is an HTTP/JSON interface for a pet store.',
      rfc: 'RFC 9110 §6.6.1',
    },
    judged: 'by certify',
  },
  {
    id: 'HTTP-3',
    chapter: 'Media and HTTP',
    level: 'SHOULD',
    sentence: 'No 429 response allows a cache to store it (RFC 6585 §4).',
    from: {
      section: 'behaviour-when-the-limit-is-exceeded',
      quote: 'A request that exceeds the limit gets `429 Too Many Requests`.',
      rfc: 'RFC 6585 §4',
    },
    judged: 'by certify',
  },
  {
    id: 'HTTP-4',
    chapter: 'Media and HTTP',
    level: 'SHOULD',
    sentence: 'No request of the run, however malformed, receives a 5xx response or a dropped connection.',
    from: {
      section: 'what-the-service-does',
      quote: 'The service is an HTTP/JSON interface for a pet store.',
      rfc: 'RFC 9110 §15.6',
    },
    judged: 'by certify',
  },
] as const satisfies readonly Statement[];
