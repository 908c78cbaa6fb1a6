import type { Statement } from './statement.ts';

/** The chapter "Authentication" of the register, in the register's order. */
export const authentication = [
  {
    id: 'AUTH-1',
    chapter: 'Authentication',
    level: 'MUST',
    sentence: 'A request without `Authorization` returns 401 (`GET` and `POST /categories`).',
    from: {
      section: 'authentication',
      quote: 'When the key is missing or invalid, the service answers 401 with an Error body.',
    },
    judged: 'by certify',
  },
  {
    id: 'AUTH-2',
    chapter: 'Authentication',
    level: 'MUST',
    sentence: 'A request with an unknown key returns 401 (`GET` and `POST /categories`).',
    from: {
      section: 'authentication',
      quote: 'When the key is missing or invalid, the service answers 401 with an Error body.',
    },
    judged: 'by certify',
  },
  {
    id: 'AUTH-3',
    chapter: 'Authentication',
    level: 'MUST',
    sentence: 'A key that is almost the valid one (truncated, extended) returns 401.',
    from: {
      section: 'authentication',
      quote: 'When the key is missing or invalid, the service answers 401 with an Error body.',
    },
    judged: 'by certify',
  },
  {
    id: 'AUTH-4',
    chapter: 'Authentication',
    level: 'MUST',
    sentence:
      'The key is valid only as `Authorization: Bearer`: as Basic, without a scheme, in the query string, in a cookie or in another header it returns 401.',
    from: {
      section: 'authentication',
      quote: 'an API key sent in the `Authorization` header in the form `Bearer <API_KEY>`',
    },
    judged: 'by certify',
  },
  {
    id: 'AUTH-5',
    chapter: 'Authentication',
    level: 'MUST',
    sentence:
      'Without a valid key, `GET /store/orders` and `GET /pets/{petId}` never return 2xx. Where they exist (2xx or 501 with the key), they return 401; where they do not (404), this is `not-tested`. They are sent before and after a request with the key, because a cache may answer the later ones.',
    from: {
      section: 'what-the-service-does',
      quote: 'All operations require authentication (see Authentication).',
    },
    judged: 'by certify',
  },
  {
    id: 'AUTH-6',
    chapter: 'Authentication',
    level: 'SHOULD',
    sentence: 'Authentication precedes validation: an invalid body without a key returns 401.',
    from: {
      section: 'authentication',
      quote: 'Every operation requires a bearer credential',
    },
    judged: 'by certify',
  },
  {
    id: 'AUTH-7',
    chapter: 'Authentication',
    level: 'OBSERVE',
    sentence:
      '`bearer` in lower case, repeated Authorization headers, surrounding white space, a key in another case.',
    from: {
      section: 'authentication',
      quote: 'The scheme is HTTP bearer.',
      rfc: 'RFC 9110 §11.1',
    },
    judged: 'by certify',
  },
] as const satisfies readonly Statement[];
