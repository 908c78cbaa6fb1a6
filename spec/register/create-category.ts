import type { Statement } from './statement.ts';

/** The chapter "Create a category" of the register, in the register's order. */
export const createCategory = [
  {
    id: 'CREATE-1',
    chapter: 'Create a category',
    level: 'MUST',
    sentence: 'A NewCategory with `name` and `description` returns 201.',
    from: {
      section: 'create-a-category',
      quote: '201: JSON Category, including the assigned `id`',
    },
    judged: 'by certify',
  },
  {
    id: 'CREATE-2',
    chapter: 'Create a category',
    level: 'MUST',
    sentence: 'A NewCategory with only `name` returns 201.',
    from: {
      section: 'create-a-category',
      quote: 'required, JSON NewCategory (`name` required, `description` optional)',
    },
    judged: 'by certify',
  },
  {
    id: 'CREATE-3',
    chapter: 'Create a category',
    level: 'MUST',
    sentence:
      'The 201 body is a Category with the `name` and `description` that were sent, character by character. White space around them may be cut off. `warn`: canonically equal text in NFC, other line ends, fewer blanks inside, or a name of 1,000 characters that was cut.',
    from: {
      section: 'newcategory-sent-by-the-client-on-creation',
      quote: 'A Category is a NewCategory plus `id`.',
    },
    judged: 'by certify',
  },
  {
    id: 'CREATE-4',
    chapter: 'Create a category',
    level: 'MUST',
    sentence: 'A body without `name` returns 400.',
    from: {
      section: 'create-a-category',
      quote: '400 (Error body) when the body lacks required fields or holds invalid values',
    },
    judged: 'by certify',
  },
  {
    id: 'CREATE-5',
    chapter: 'Create a category',
    level: 'MUST',
    sentence: 'A `name` that is not a string returns 400 (number, boolean, null, array, object).',
    from: {
      section: 'create-a-category',
      quote: '400 (Error body) when the body lacks required fields or holds invalid values',
    },
    judged: 'by certify',
  },
  {
    id: 'CREATE-6',
    chapter: 'Create a category',
    level: 'MUST',
    sentence:
      'A `description` that is not a string returns 400 (number, boolean, array, object; null is only observed).',
    from: {
      section: 'create-a-category',
      quote: '400 (Error body) when the body lacks required fields or holds invalid values',
    },
    judged: 'by certify',
  },
  {
    id: 'CREATE-7',
    chapter: 'Create a category',
    level: 'MUST',
    sentence: 'A JSON body that is not an object returns 400 (array, string, number, null).',
    from: {
      section: 'create-a-category',
      quote: 'required, JSON NewCategory (`name` required, `description` optional)',
    },
    judged: 'by certify',
  },
  {
    id: 'CREATE-8',
    chapter: 'Create a category',
    level: 'MUST',
    sentence: 'An absent body returns 400 (411, 415 or 422: `warn`).',
    from: {
      section: 'create-a-category',
      quote: 'required, JSON NewCategory (`name` required, `description` optional)',
    },
    judged: 'by certify',
  },
  {
    id: 'CREATE-9',
    chapter: 'Create a category',
    level: 'MUST',
    sentence:
      'Malformed JSON returns 400 (411, 415 or 422, or acceptance of JSON with text after it: `warn`).',
    from: {
      section: 'create-a-category',
      quote: '400 (Error body) when the body lacks required fields or holds invalid values',
      rfc: 'RFC 9110 §15.5.1',
    },
    judged: 'by certify',
  },
  {
    id: 'CREATE-10',
    chapter: 'Create a category',
    level: 'MUST',
    sentence: 'A creation that returns 400 or 401 creates nothing.',
    from: {
      section: 'create-a-category',
      quote: '201: JSON Category, including the assigned `id`',
    },
    judged: 'by certify',
  },
  // A SHOULD: "Length bounds and uniqueness rules of category fields: not shown", and the id is one of these fields.
  {
    id: 'CREATE-11',
    chapter: 'Create a category',
    level: 'SHOULD',
    sentence: 'Two creations get different ids.',
    from: {
      section: 'category-returned-by-the-service',
      quote: 'Assigned by the service on creation. Not supplied by the client.',
    },
    judged: 'by certify',
  },
  // A MUST: both sentences of the quote are rules of the field. An adopted id was assigned by the client, and supplied by it.
  {
    id: 'CREATE-12',
    chapter: 'Create a category',
    level: 'MUST',
    sentence:
      'The service assigns the id, and does not adopt an id that the client sends: it ignores the id or rejects the body.',
    from: {
      section: 'category-returned-by-the-service',
      quote: 'Assigned by the service on creation. Not supplied by the client.',
    },
    judged: 'by certify',
  },
  {
    id: 'CREATE-13',
    chapter: 'Create a category',
    level: 'OBSERVE',
    sentence:
      'Empty or blank names, length bounds, permitted characters, white space around texts, duplicate names, unknown fields, duplicate JSON keys, other content types, byte order mark, control characters, very large bodies.',
    from: {
      section: 'error-body-of-error-responses',
      quote: 'Length bounds and uniqueness rules of category fields: not shown.',
    },
    judged: 'by certify',
  },
  // A SHOULD: the specification does not say in so many words that one request creates one category.
  {
    id: 'CREATE-14',
    chapter: 'Create a category',
    level: 'SHOULD',
    sentence: 'A creation that returns 201 creates one category.',
    from: {
      section: 'create-a-category',
      quote: '201: JSON Category, including the assigned `id`',
    },
    judged: 'by certify',
  },
] as const satisfies readonly Statement[];
