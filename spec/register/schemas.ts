import type { Statement } from './statement.ts';

/** The chapter "Category and Error schemas" of the register, in the register's order. */
export const schemas = [
  {
    id: 'CAT-1',
    chapter: 'Category and Error schemas',
    level: 'MUST',
    sentence:
      'Every category has an `id` that is an integer in the int64 range (judged by its JSON text, so that no digit is lost above 2^53).',
    from: {
      section: 'category-returned-by-the-service',
      quote: '| id | integer | int64 | yes |',
    },
    judged: 'by certify',
  },
  {
    id: 'CAT-2',
    chapter: 'Category and Error schemas',
    level: 'MUST',
    sentence: 'Every category has a `name` that is a string.',
    from: {
      section: 'category-returned-by-the-service',
      quote: '| name | string | none | yes | The category name. |',
    },
    judged: 'by certify',
  },
  {
    id: 'CAT-3',
    chapter: 'Category and Error schemas',
    level: 'MUST',
    sentence: 'If a category has a `description`, it is a string (null: `warn`).',
    from: {
      section: 'category-returned-by-the-service',
      quote: '| description | string | none | no | A short description of the category. |',
    },
    judged: 'by certify',
  },
  {
    id: 'CAT-4',
    chapter: 'Category and Error schemas',
    level: 'MUST',
    sentence: 'A category has the same `id`, `name` and `description` in the 201 response and in the list.',
    from: {
      section: 'list-categories',
      quote: '200: JSON array of Category objects (all categories)',
    },
    judged: 'by certify',
  },
  {
    id: 'ERR-1',
    chapter: 'Category and Error schemas',
    level: 'MUST',
    sentence:
      'Every 400 response has an Error body: `code` and `message` as strings, `status` as an integer.',
    from: {
      section: 'errors',
      quote: 'Error responses carry the Error body (`code`, `message`, `status`).',
    },
    judged: 'by certify',
  },
  {
    id: 'ERR-2',
    chapter: 'Category and Error schemas',
    level: 'MUST',
    sentence: 'Every 401 response has an Error body.',
    from: {
      section: 'authentication',
      quote: 'When the key is missing or invalid, the service answers 401 with an Error body.',
    },
    judged: 'by certify',
  },
  {
    id: 'ERR-3',
    chapter: 'Category and Error schemas',
    level: 'MUST',
    sentence: 'The `status` in an Error body is the HTTP status code of the response.',
    from: {
      section: 'error-body-of-error-responses',
      quote: '| status | integer | yes | The HTTP status code. |',
    },
    judged: 'by certify',
  },
  {
    id: 'ERR-4',
    chapter: 'Category and Error schemas',
    level: 'SHOULD',
    sentence: '`code` is machine-readable: it is not empty, and is the same for the same condition.',
    from: {
      section: 'error-body-of-error-responses',
      quote: '| code | string | yes | Machine-readable error code. |',
    },
    judged: 'by certify',
  },
  {
    id: 'ERR-5',
    chapter: 'Category and Error schemas',
    level: 'OBSERVE',
    sentence: 'The body of a 429 response; the set of codes.',
    from: {
      section: 'errors',
      quote: 'The set of `code` values: not shown.',
    },
    judged: 'by certify',
  },
] as const satisfies readonly Statement[];
